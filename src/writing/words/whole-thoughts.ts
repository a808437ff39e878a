import { scriptOf } from '../plain-text.ts';

/** What announces the message of another commit, or takes one back. */
export const citesAnother =
  /^(?:the following commits?\b|(?:this )?reverts?\b.{0,80}["“]|this reverts\b|squashed commit of|(?:see|in|from|cherry[- ]picked from) commit\b|commit [\da-f]{7,40}\b|\(cherry picked)/i;

/** Whether a sentence begins in the middle of a thought: with a word for something that was said before, or a small letter. */
export const leansBack = (sentence: string): boolean =>
  (pointing.test(sentence) && !ofTheChange.test(sentence)) ||
  pointingInside.test(sentence.replace(changes, '')) ||
  /^(?:\S+ ){1,3}(?:it|them|they|also|too|instead|this|these|those)\b/i.test(sentence.replace(changes, '')) ||
  (/^\p{Ll}+(?:[\s,.:;]|$)/u.test(sentence) && scriptOf(sentence) === 'latin');

const pointing =
  /^(?:note (?:however|also)|note,? that (?:this|it|these)|it|its|it['’]s|this|that|that['’]s|these|those|they|them|their|he|she|his|her|such|as such|however|also|but|so|thus|then|and|or|nor|yet|instead|otherwise|therefore|hence|which|who|where|consequently|additionally|moreover|furthermore|besides|similarly|likewise|nevertheless|nonetheless|still|meanwhile|afterwards|both|neither|either|another|same|the (?:same|former|latter|above|other|others|rest)|one of (?:them|these|those)|(?:in|for|with|by|because of|due to|after|before|from|to|of|on|at) (?:this|that|these|those|such|it|them|doing so)|as a result|(?:the|this) (?:latter|former)|in (?:addition|particular|other words|contrast|turn)|for (?:example|instance)|on the other hand|even (?:so|then|though)|previously (?:it|there)|(?:for |the )?said)\b/i;
/** Words for something that stands outside of the sentence, wherever they are in it. */
const pointingInside =
  /\b(?:(?:of|in|for|with|to|from|on|at|by|as|like|than|about|via|using|after|before|because|since|fix(?:es)?|do(?:es|ing)?|but|and|when|if|while|so|all) (?:this|that|these|those)(?! (?:is|are|was|were|will|would|should|can|could|has|have|a|an|the)\b)\b|the (?:above|following|former|latter|aforementioned)|(?:above|below)(?=[.,;:)]|$)|aforementioned|mentioned (?:above|earlier)|as (?:follows|such)|previous (?:commit|pr|change)|the other (?:one|way)|(?:see|shown|described) here)(?!\w)/i;
const changes =
  /\bthis (?:pr|pull[- ]request|change|changes|changeset|commit|patch|branch|mr|merge request|work|fix|feature|release|update|refactor\w*)\b/gi;
/** A change may speak of itself. */
export const ofTheChange =
  /^(?:in )?this (?:pr|pull[- ]request|change|changes|changeset|commit|patch|branch|mr|merge request|work|fix|feature|release|update|refactor\w*)\b/i;
