import type { Block, ItemBlock } from './markdown-blocks.ts';
import { isOnlyReferences } from './sentences.ts';

type Commit = ItemBlock & { depth: 0; marker: '*' };

const conventionalPrefix = /^(?:\w{2,12}(?:\([^)]{0,60}\))?!?|\[[\w -]{1,20}\]) ?: ?|^\[[\w -]{1,20}\] /;

const noise = new RegExp(
  `^(?:${[
    'merge (?:branch|remote-tracking|pull request|branches|main|master|upstream|origin|conflicts?|with|from|commit|tag|in|dev|develop|latest|next|changes|staging)\\b.*',
    'merge(?:d|s)?(?: .{0,30})?|(?:fixup|squash|amend|drop)!.*',
    "(?:wip|tmp|temp|oops|whoops|ugh|gah|argh|moar|meh|hm+|doh|d'oh|ok|okay|sigh|phew|yay|nit|nits|done|donesies|checkpoint|save|progress|initial|init|start|initial commit|first commit|first draft|draft|missed (?:one|a spot|this|that)|forgot .{0,30})\\b.{0,20}",
    '(?:try|trying|attempt|another|maybe|hopefully|more|some|minor|small|tiny|little|few|a few|final|last|further|additional|misc|various|random|quick)(?: (?:this|that|again|fix(?:es)?|change|changes|tweaks?|cleanup|updates?|improvements?|refactor(?:ing)?|edits?|attempt|try|stuff|things?|work|tests?|lint(?:ing)?|format(?:ting)?|typos?|nits?|one|it|adjustments?|polish))*',
    '(?:fix(?:es|ed|ing|up)?|update[ds]?|updating|address(?:ed|es)?|resolve[ds]?|correct(?:ed|s)?|adjust(?:ed|s)?|repair(?:ed)?|tweak(?:ed|s)?|improve[ds]?|revert(?:ed|s)?|remove[ds]?|add(?:ed|s)?|change[ds]?|edit(?:ed)?|run|ran|apply|applied|regenerate|generate|rename|clean(?:ed)? ?up|undo|satisfy|appease|please|make|bump|sort|reorder|move|cleanup|format|prettify|trigger|re-?trigger|rerun|re-run)?(?: (?:a|an|the|some|all|more|my|another|few|failing|broken|flaky|remaining|missing|last|up|unused|wrong|accidental|bad|merge|eslint|lint(?:ing|er)?|rust|cargo|clippy|type|ts|typescript|go|prettier|format(?:ting)?|pre-commit|ci|snapshot|unit|windows|package|code|js|pnpm|yarn|npm|build|review|pr|test|tests|small|minor|automated|generated|auto))* ?(?:typos?|lint(?:ing|er|s)?|lints|fmt|format(?:ting|s)?|tests?|ci|build|builds|types?|typings|prettier|eslint|clippy|conflicts?|imports?|comments?|nits?|errors?|issues?|warnings?|whitespace|spacing|indentation|indent|spelling|grammar|snapshots?|lock ?files?|pnpm-lock|changesets?|change ?files?|change ?log|changes|fix|fixes|happy|console\\.?logs?|logs?|logging|debug|semicolons?|file|files|stuff|things?|it|this|that|again|suggestions?|feedback|review|denoify|black|isort|ruff|gofmt|rustfmt|biome|dprint|dco|tweaks?|mistakes?|merge|rebase|style|styles|wording|names?|naming|copyright|license headers?|docs?|updates?|commit|versions?|headers?|bot|licence)',
    '(?:run|ran|apply|applied)? ?(?:denoify|prettier|formatter|fmt|format|lint|eslint|clippy|cargo fmt|cargo clippy|bun (?:run )?\\w+|deno fmt|go mod tidy|go fmt|gofumpt|make \\w+|yarn \\w+|npm (?:run )?\\w+|pnpm (?:run )?[\\w:]+|tidy|update lock ?file|dedupe)',
    '(?:address|apply|implement|incorporate|respond|react|integrate|accept|commit|adopt)\\w*\\b.{0,60}\\b(?:review|reviews|reviewer|comments?|feedback|suggestions?|nits?)\\b.{0,30}',
    '(?:code |pr |pull request )?(?:review|feedback|suggestions?|comments?)(?: (?:fixes|changes|comments|suggestions|updates|feedback|.{0,20}))?',
    '(?:as|per) .{0,30}(?:review|comments?|suggest\\w*|feedback|discussion)',
    '(?:update|create|delete|rename|edit) [\\w./@\\[\\]()+ -]{1,160}\\.[a-z]{1,10}',
    'update [\\w.@-]+(?:/[\\w.@()\\[\\]+-]+)+',
    '(?:refactor|refactored|refactoring|simplify|simplified|cleanups?|clean up|cleaned up|tidy|tidy up|tidied|tweaks?|changeset|changesets|changes|change|fix|fixes|fixed|fixing|update|updates|updated|improve|improvements?|improved|polish|style|styles|types?|docs?|tests?|testing|debug|rename|renaming|renamed|regenerate|regen|generate|rebase|rebased|revert|undo|reset|restore|optimi[sz]e|adjust|adjustments|delete|remove|removed|typo|typos|reformat|formatted|formatting|spacing|whitespace|comment|comments|dedupe|inline|unused|alphabeti[sz]e|bump|lockfile|snapshot|snapshots|wording|nit|example|examples|better|nicer|cleaner|clearer|faster|shorter|simpler|it works|works|works now|ready|ready for review|jsdoc|readme|code style|same|ditto|logging|logs?|prerelease|release|apply version updates|version packages?|empty|empty commit|trigger ci|retrigger ci|kick ci|sync|sync with \\w+|skip|skip ci|split|note|todo|todos)',
    '(?:update|updated|regenerate) (?:package-lock|yarn\\.lock|cargo\\.lock|poetry\\.lock|pnpm-lock|go\\.sum).{0,20}',
    '(?:add(?:ed)?|update[ds]?|tweak|edit|create[ds]?|include) (?:a |the |missing )?(?:changesets?|change ?files?|changelog)\\b.{0,60}',
    "while (?:we're|i'm|we are|i am) (?:here|at it)",
    '(?:ah|argh|err+|fml|fuck|damn|shit|wtf|slow clap|come on|ffs|for real|now|still|also)\\b.*',
    // Subjects of a single word say less than the other commits.
    '[a-z]+|.{0,60}\\?|.{0,60}\\b(?:fuck|shit|damn).{0,60}',
    'ci: apply automated fixes|\\[autofix\\.ci\\].*|\\[pre-commit\\.ci\\].*|style: .{0,20}format.{0,10}|auto-?format.{0,20}|\\[skip ci\\]|automatic (?:changes|changelog).*|\\W*',
  ].join('|')})$`,
  'i',
);

/** Whether the subject of a commit is about an intermediate step, such as "fix lint". */
export const isWorkStep = (subject: string): boolean => noise.test(withoutPrefix(subject));

const otherPullRequest = /\(#\d{1,9}\)$/;
const reverted = /^revert[: ]+["“](.+)["”]$/i;

/**
 * The list of commits in a squash message, without merges, corrections and reverted commits. Items keep their asterisk,
 * because a later commit may have undone an earlier one.
 */
export function tidySquashList(blocks: Block[]): Block[] {
  const commits = blocks.filter(isCommit);
  const subjects = new Set(commits.map(subjectOfItem));
  const takenBack = new Set(commits.map(subjectReverted));
  const seen = new Set<string>();
  const kept: Block[] = [];
  let isDropped = false;
  let isForeign = false;
  let count = 0;
  for (const block of blocks) {
    if (block.kind === 'rule') continue;
    if (isCommit(block)) {
      count += 1;
      isForeign = count > 1 && otherPullRequest.test(block.text);
      const subject = subjectOfItem(block);
      isDropped =
        isForeign ||
        noise.test(subject) ||
        takenBack.has(subject) ||
        subjects.has(subjectReverted(block) ?? '') ||
        seen.has(subject);
      seen.add(subject);
      if (!isDropped) kept.push(block);
    } else if (
      !isForeign &&
      !(isDropped && (isOnlyReferences(blockText(block)) || seen.has(blockText(block))))
    ) {
      // A commit with a meaningless subject may be explained by its body, which then replaces the subject.
      if (block.kind !== 'item' || !noise.test(subjectOfItem(block)))
        kept.push(block.kind === 'item' ? { ...block, marker: '-' } : block);
      seen.add(blockText(block));
    }
  }
  return kept;
}

export function isSquashList(blocks: Block[]): boolean {
  const first = blocks.find((block) => block.kind !== 'rule');
  if (!first || !isCommit(first)) return false;
  const commits = blocks.filter(isCommit);
  return commits.length > 1 && commits.every((commit) => commit.hasBlankBefore);
}

function isCommit(block: Block): block is Commit {
  return block.kind === 'item' && block.depth === 0 && block.marker === '*';
}

const subjectOfItem = (block: ItemBlock): string => withoutPrefix(block.text.split('\n', 1)[0] ?? '');

function withoutPrefix(subject: string): string {
  return subject
    .slice(0, 200)
    .toLowerCase()
    .replace(conventionalPrefix, '')
    .replace(/[\s.!…:,]{1,20}$/u, '')
    .trim();
}

function blockText(block: Block): string {
  return block.kind === 'rule' ? '' : block.text.toLowerCase();
}

function subjectReverted(commit: Commit): string | null {
  const subject = reverted.exec(commit.text.slice(0, 300))?.[1];
  return subject === undefined ? null : subjectOfItem({ ...commit, text: subject });
}
