import type { Block, ItemBlock } from './build-blocks.ts';

/** Boxes that a template brought along: they would fit any change. */
const templateItem = new RegExp(
  `^\\W*(?:${[
    "i(?:'ve|'m| have| am| did| agree| confirm| understand| acknowledge| ran| read| added| updated| will| believe| certify| tested| performed| checked)\\b",
    '(?:my|your|the|this|all)(?: new| existing| related| relevant)? (?:code|changes?|pr|pull request|commits?|commit messages?|title|tests?|unit tests|documentation|docs|branch|contribution|patch|ci|checks)\\b[^`]*$',
    '(?:unit |integration |e2e |new |existing |all |regression |relevant |related |automated |manual )*(?:tests?|test cases?|documentation|docs?|change ?log|changeset|readme|types?|typings|examples?|benchmarks?)(?: and (?:tests?|documentation|docs|benchmarks?))?(?: (?:has|have|is|are|were|was|been|be|added|updated|included|needed|required|provided|changed|passing|pass|passes|written|cover|covers|and|or|not|if|for|with|this|the|changes?|necessary|applicable|locally|relevant|added\\/updated|added or updated|new code|features?|bug|fix|fixes|to)\\b[ ,/]*)*[.?:]?$',
    '(?:added|updated|add|update|wrote|write|include|included|adds|updates)(?: (?:and|or|\\/) (?:added|updated|add|update))?(?: (?:a|an|any|the|new|unit|relevant|necessary|appropriate|related|all|missing|required|some|comprehensive|corresponding|entry|in|to))* (?:tests?|test cases?|documentation|docs?|change ?log|changeset|readme|types?|comments?)(?: (?:where|if|when|for|to|as|and|or|in|that|covering)\\b[^`]*)?[.]?$',
    '(?:run|ran) (?:the |all )?(?:tests?|linter?|`(?:npm|pnpm|yarn|make|cargo|go|bun|deno|tox|pytest)\\b)',
    '`?(?:npm|pnpm|yarn|make|bun|deno) (?:run )?[\\w:-]+`?(?: (?:and|&&) `?(?:npm|pnpm|yarn|make|bun|deno)? ?(?:run )?[\\w:-]+`?)*(?: (?:passes|pass|has been run|was run|is green|run)\\b.*)?$',
    '`?(?:bun|deno) fmt',
    '(?:bug ?fix|hot ?fix|new feature|feature|breaking change|refactor(?:ing)?|documentation|docs|chore|performance|perf|code style|style|build|ci|tests?|other|security|dependenc(?:y|ies)|enhancement|improvement|cleanup|maintenance|deprecation|translation|typo|revert)\\b(?: ?[(:,/—–-]| update| \\w+ change|s\\b|$| only| improvement| content)[^`]*$',
    "(?:please|ensure|make sure|check (?:that|if|the)|if (?:your|this|you|the|it|applicable|adding|relevant|breaking|a )|read (?:the|our)|followed|follows|ideally|it'?s really useful|this message body|search(?:ed)?|verif(?:y|ied) that|there (?:is|are) (?:an?|no|tests?)|all (?:tests?|checks|new)|tests? (?:pass|fail)|linked|link(?:s)? to|references?|related issue|issue\\b|self[- ]?review|code (?:is|has|follows|compiles|review|builds)|commit messages?|commits? (?:are|is|has|have|follow)|pr (?:title|description|is|has|contains|follows|only)|title (?:is|follows)|lint|format|formatted|ci (?:is|passes|green)|backward|backwards|does (?:this|the|not)|no (?:breaking|new warnings|need|,|regressions?|changes? (?:needed|required))|yes\\b|no$|n/a|none|not (?:applicable|needed|required)|signed|sign|rebased|squash|assign|label|milestone|screenshots?|appropriate|considered|breaking\\b|is this|are (?:there|you)|has (?:the|this)|have you|did you|was (?:the|this)|were|will this|any (?:dependent|breaking|new)|only|the (?:commit|documentation|pr|title|code|change|feature|test)|a (?:migration|test|change ?log|changeset)|documented|tested (?:on|with|locally|in|manually)|manually tested|works|new and existing|when (?:resolving|applicable)|required|wording|approved|reviewed|needs?|requires?|contains|i )\\b",
    '<?dependency|if you want to rebase|(?:テスト|ドキュメント|レビュー|動作確認|自己レビュー|lint)[^`]*$|(?:单元测试|测试|文档|代码)[^`]*$',
  ].join('|')})`,
  'i',
);

const specific = /`[^`]+`|#\d|[a-z][A-Z]|\w_\w|\w\/\w|\w\.\w|\d/;
const unfinished =
  /to-?do|remaining|next steps?|future|follow[- ]?ups?|not (?:yet )?done|open (?:questions|tasks)|残り|今後/i;

/**
 * Takes out task lists that came with a template. A list that was written for this change stays, as a plain list of what
 * is done: an open box says that it is not.
 */
export function dropChecklists(blocks: Block[]): Block[] {
  const kept: Block[] = [];
  let heading = '';
  for (let at = 0; at < blocks.length; ) {
    const block = blocks[at] as Block;
    if (block.kind === 'heading') heading = block.text;
    const list = tasksFrom(blocks, at);
    if (list.some((item) => item.checked !== null)) kept.push(...ownTasks(list, heading));
    else kept.push(...(list.length > 0 ? list : [block]));
    at += Math.max(1, list.length);
  }
  return kept;
}

function tasksFrom(blocks: Block[], start: number): ItemBlock[] {
  const items: ItemBlock[] = [];
  for (let at = start; at < blocks.length; at += 1) {
    const block = blocks[at] as Block;
    if (block.kind !== 'item') break;
    items.push(block);
  }
  return items;
}

function ownTasks(list: ItemBlock[], heading: string): ItemBlock[] {
  const tasks = list.filter((item) => item.checked !== null);
  const plain = list.filter((item) => item.checked === null);
  const own = tasks.filter((item) => !templateItem.test(item.text.slice(0, 300)));
  const specificOnes = own.filter((item) => specific.test(item.text.slice(0, 500)));
  const isTemplate =
    own.length * 2 < tasks.length || specificOnes.length * 2 < own.length || own.length === 0;
  if (isTemplate) return plain.filter((item) => item.depth === 0);
  const done = own.filter((item) => item.checked);
  if (done.length === 0 && unfinished.test(heading)) return [];
  const wanted = new Set(done.length > 0 ? done : own);
  return list
    .filter((item) => item.checked === null || wanted.has(item))
    .map((item) => ({ ...item, checked: null }));
}
