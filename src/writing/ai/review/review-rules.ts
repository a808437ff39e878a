import type { PlacedSentence, Sentence, SpokenWords } from '../../draft.ts';
import type { Material } from '../material.ts';
import type { Prompts } from '../prompts.ts';

/** The most sentences of an article or answer that rest on comments. */
export const mostFromReview = 3;

export const isFromReview = ({ words }: Pick<Sentence, 'words'>): boolean =>
  words.some(({ said }) => said !== undefined);

/** The instructions for comments; empty if the material has none. */
export const aboutReview = (
  prompts: Pick<Prompts, 'from-review'>,
  { words }: Pick<Material, 'words'>,
): string => ([...words.values()].some(({ said }) => said) ? prompts['from-review'] : '');

/** The words of people, without code and quotations. */
const proseOf = (text: string): string =>
  text
    .replace(/`[^`]*`/g, ' ` ')
    .replace(/“[^”]*”|"[^"]*"|「[^」]*」|『[^』]*』|«[^»]*»|„[^“”]*[“”]/g, ' “ ');

const saysVerbs =
  'asks|asked|says|said|writes|wrote|suggests|suggested|requested|propos(?:es|ed)|wants|wanted|noted|points out|pointed out|repl(?:ies|ied)|answered|objects|objected|warns|warned|explains|explained|prefers|preferred|doubts|doubted|agrees|agreed|approves|approved|wonders|wondered|recommends|recommended|reported|confirms|confirmed|mentions|mentioned|argues|argued|thinks|thought|believes|believed|raised|demands|demanded|rejected|declined|accepted|promis(?:es|ed)|offered|urges|urged|insists|insisted|hints|hinted|stated|claimed|remarked|commented|(?:requests|notes|answers|reports|claims|comments|remarks|states|adds) (?:that|whether|to|if|how|why)';

/** The subject of a verb of speech, with the words between them. */
const subject = new RegExp(
  `(?<![\\w.@’'-])@?(?<who>[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*|“|\`)(?:,[^,;.]{0,60},)?\\s+(?:(?:also|then|first|later|again|still|only|even|in turn|now|here|had|has|have|did|does|do|would|not|never)\\s+)*(?:${saysVerbs})(?![\\p{L}\\p{N}_])`,
  'giu',
);

/** Words before a common noun, such as "the caller wants". */
const article = /\b(?:the|an?|its|any|each|every|no|which|what|whose)\s+(?:[\p{L}-]+\s+)?$/iu;

/** Words other than names that may stand before a verb of speech. */
const neutral = new Set(
  'who which that and or but then also it he she they this the comment review reply answer question thread remark author reviewer maintainer commenter to not is was are were be been a an as what when where if his her their its of'.split(
    ' ',
  ),
);

const bySpeaker =
  /\b(?:(?:asked|suggested|requested|proposed|wanted|raised|approved|rejected|written|noted|reported) by|according to|at the (?:request|suggestion) of|(?:comment|review|reply|answer|request|suggestion|question|remark|approval|words) (?:of|by|from))\s+(?:the (?:author|reviewer),?\s+)?@?(?<who>[\p{L}\p{N}_][\p{L}\p{N}_.-]*)/giu;

const possessive =
  /(?<![\w.@-])@?(?<who>[\p{L}\p{N}_][\p{L}\p{N}_.-]*)[’']s (?:comment|review|reply|answer|request|suggestion|question|remark|point|words|objection|approval|concern|idea|proposal)/giu;

const honoured = /(?<who>[\p{L}\p{N}_][\w.-]*)\s*(?:さん|氏)/gu;

const authorSpeaks = new RegExp(
  `\\b(?:author|contributor)\\b(?:, [^,;.]{0,60},)?\\s+(?:(?:also|then|later|again|had|has)\\s+)*(?:${saysVerbs})\\b|(?:作成者|作者|投稿者)(?!の)[^、。]{0,40}?(?:は|が|も|によると|によれば)`,
  'iu',
);
const reviewerSpeaks = /\b(?:reviewer|maintainer|commenter)\b|レビュアー|レビュー担当|レビューア|メンテナ/iu;
const namesAuthor = /\bauthor\b|作成者|作者|投稿者/iu;

const approves =
  /\bapprov\w*|\bLGTM\b|\bsign(?:s|ed)? (?:it )?off\b|\bgreen light\b|承認|\baccept(?:s|ed) (?:the|this) (?:change|pull request|patch)/iu;
const blocks = /\bblock(?:s|ed|ing)\b|\brequest(?:s|ed) changes\b|\bchanges requested\b|差し戻|変更を要求/iu;

/** That a comment is the reason for a change. */
const becauseOfReview =
  /\b(?:because of|due to|thanks to|owing to|in response to|as a result of|prompted by|on the advice|at the (?:request|suggestion)|because|since) (?:of )?(?:(?:a|an|the|this|that|their|his|her)\s+)?(?:\S+\s+){0,2}?(?:review\w*|comment\w*|feedback|request\b|suggestion\b|remark\b|asked|suggested|requested|proposed)|\b(?:\S+[’']s|review|reviewers?[’']?|this|that|the) (?:comment|request|suggestion|review|remark|feedback) (?:led|leads|made|makes|caused|causes|prompted|prompts|resulted|results)\b|\bas (?:\S+ ){1,3}(?:asked|suggested|requested|proposed)\b|\bfollowing (?:\S+ ){0,3}(?:comment|review|suggestion|request|remark|feedback)|\bby request\b|\bat \S+[’']s (?:request|suggestion)|(?:指摘|コメント|レビュー|提案|依頼|要望|意見|助言)(?:など)?(?:を受け|に応じ|に従|により|によって|に基づ|のため|から(?=、)|を反映|を取り入れ)/iu;

const saysReason =
  /\b(?:because|since|so that|as (?:you|suggested|requested|asked|proposed)|per\b|suggest\w*|review\w*|feedback|your (?:comment|point|idea)|thanks|addressed|in response)\b|ため|ので|から|指摘|提案|レビュー/iu;

/** Claims that a request was carried out, which only lines and the author's own words show. */
const tellsDone =
  /\b(?:and (?:it|this|that) (?:was|is|got|has been)|has been|have been|was then|were then|then (?:added|removed|changed|replaced|fixed)|accordingly|so it was|is done|was done|has done|did so|does so now|took (?:it|this|that) over|adopt(?:s|ed)|now|no longer)\b|取り入れ|反映され|採用され|対応され|対応済|修正されました|変更されました|追加されました|削除されました|ようになりました/iu;

const saysDone =
  /\b(?:done|fixed|added|changed|removed|applied|updated|moved|replaced|renamed|pushed|adopted|took)\b|対応|修正|変更|追加|削除|直し/iu;

/** An article never judges people. */
const verdict =
  /\b(?:rightly|wrongly|correctly (?:notes?|points?|says?|asks?)|careless(?:ly)?|sloppy|sloppily|lazy|lazily|rude(?:ly)?|stubborn\w*|incompeten\w*|nitpick\w*|nai?ve|naïve|brilliant\w*|grudging\w*|reluctant\w*|patiently|politely|kindly|helpfully|pedantic\w*|annoy\w*|angr\w*|complain\w*|insist\w*|concede\w*|admit(?:s|ted)|(?:author|reviewer|who|he|she|they) (?:ignor|overlook|forg[eo]t|refus|misunderst|miss(?:ed|es)|fail)\w*)\b|正しく指摘|見落と|怠っ|無視し|不注意|しつこ|鋭い|的確|渋々|親切に|誤解し|文句/iu;

/**
 * The faults of a sentence about a review. The speaker is the author of the cited comment, so the sentence must name that person, and no other, as the one who speaks.
 */
export function createReviewRules(words: SpokenWords[]): (placed: PlacedSentence) => string[] {
  const people = new Set(words.flatMap(({ speaker, said }) => (said ? [speaker] : [])));
  if (people.size === 0) return () => [];
  return ({ part, sentence }) => {
    const prose = proseOf(sentence.text);
    const named = [...people].filter((login) => names(prose, login));
    if (isFromReview(sentence)) return aboutComment(sentence, { part, prose, named, people });
    const isAboutReview = named.length > 0 || /\breviewers?\b|レビュア/iu.test(prose);
    // Comments that are not cited show nothing.
    const speaks = [...speakersIn(prose, people)].find(
      ({ who }) => people.has(who) && !isCited(sentence, who),
    )?.who;
    return [
      ...(speaks ? [`it says what ${speaks} says and cites no words of ${speaks}`] : []),
      ...(isAboutReview && approves.test(prose) ? ['it tells an approval and cites no comment'] : []),
      ...(named.length > 0 && sentence.basis === 'judgement' ? ['it judges a person'] : []),
      ...(becauseOfReview.test(prose) && !isSaidByAuthor(sentence)
        ? ['it gives a comment as the reason, which the author does not say']
        : []),
      ...(isAboutReview && verdict.test(prose) ? ['it is a verdict on a person'] : []),
    ];
  };
}

const isCited = ({ words }: Sentence, who: string): boolean => words.some(({ speaker }) => speaker === who);

const names = (prose: string, login: string): boolean => {
  for (let at = prose.indexOf(login); at !== -1; at = prose.indexOf(login, at + 1)) {
    const [before, behind] = [prose.charAt(at - 1), prose.charAt(at + login.length)];
    const further = prose.slice(at + login.length, at + login.length + 2);
    if (!/[\w-]/.test(before) && !/\w/.test(behind) && !/^[-.]\w/.test(further)) return true;
  }
  return false;
};

interface Speaking {
  who: string;
  /** Not only the owner of a comment. */
  speaks: boolean;
}

function* speakersIn(prose: string, people: ReadonlySet<string>): Generator<Speaking> {
  for (const pattern of [subject, bySpeaker, possessive, honoured])
    for (const { groups, index } of prose.matchAll(pattern)) {
      const who = groups?.who?.replace(/[.-]+$/, '') ?? '';
      const isNoun = pattern === subject && article.test(prose.slice(0, index));
      if (!neutral.has(who.toLowerCase()) && !(isNoun && !people.has(who)))
        yield { who, speaks: pattern === subject || pattern === honoured };
    }
}

const isSaidByAuthor = ({ words }: Sentence): boolean =>
  words.some(
    ({ where, said, text }) => (said ? said.isByAuthor : where !== 'issue') && saysReason.test(text),
  );

interface SentenceContext {
  part: PlacedSentence['part'];
  prose: string;
  named: string[];
  people: ReadonlySet<string>;
}

function aboutComment(sentence: Sentence, { part, prose, named, people }: SentenceContext): string[] {
  const { basis, words, evidence, facts, label } = sentence;
  if (part !== 'background' && part !== 'change') return ['comments are cited in sentences only'];
  if (basis !== 'words') return ['what a comment says has the basis `words`'];
  const [first] = words;
  const said = first?.said;
  const isOneVoice = words.every((one) => one.said && one.speaker === first?.speaker);
  if (!first || !said || !isOneVoice || evidence.length + facts.length > 0)
    return ['it rests on comments of one person and on nothing else'];
  if (label) return ['what a comment says has no label'];
  const { speaker } = first;
  const { isByAuthor, state } = said;
  const spoken = words.map(({ text }) => text).join('\n');
  const isNamed = named.includes(speaker) || (isByAuthor && namesAuthor.test(prose));
  const others = named.filter((login) => login !== speaker && !names(spoken, login));
  const wrong = [...speakersIn(prose, people)].find(
    ({ who, speaks }) => who !== speaker && (speaks || !names(spoken, who)),
  )?.who;
  const isSaid = (pattern: RegExp): boolean => pattern.test(spoken);
  return [
    ...(isNamed ? [] : [`it does not name ${speaker}, who wrote the comment`]),
    ...(others.length > 0 ? [`it names ${others.join(', ')}, who did not write the comment`] : []),
    ...(wrong !== undefined ? [`it says that ${wrong} says what ${speaker} wrote`] : []),
    ...(authorSpeaks.test(prose) && !isByAuthor ? [`${speaker} is not the author`] : []),
    ...(reviewerSpeaks.test(prose) && isByAuthor ? [`${speaker} is the author, not a reviewer`] : []),
    ...(approves.test(prose) && state !== 'approved' && !isSaid(approves)
      ? [`${speaker} did not approve it`]
      : []),
    ...(blocks.test(prose) && state !== 'changesRequested' && !isSaid(blocks)
      ? [`${speaker} did not request changes`]
      : []),
    ...(becauseOfReview.test(prose) && !(isByAuthor && isSaid(saysReason))
      ? ['it gives a comment as the reason, which the author does not say']
      : []),
    ...(tellsDone.test(prose) && !(isByAuthor && isSaid(saysDone)) && !isSaid(tellsDone)
      ? ['a comment does not show that something was done']
      : []),
    ...(verdict.test(prose) && !isSaid(verdict) ? ['it is a verdict on a person'] : []),
  ];
}
