/** Verbs that titles of pull requests begin with. */
const verbs = new Set(
  (
    'abort accept activate adapt add adopt address adjust align allow annotate append apply archive assert assign attach avoid bail batch block bound break bring bump ' +
    'bundle cache calculate call cancel capture catch change check choose clarify clean cleanup clear clone close collapse collect combine compare compile complete compute ' +
    'configure connect consider consolidate construct convert copy correct cover create cut debounce decode decouple decrease deduplicate dedupe default defer ' +
    'define delay delegate delete deprecate derive describe detect determine disable disallow discard display distinguish document downgrade drop eliminate embed emit ' +
    'enable encode enforce enhance ensure enrich escape evaluate exclude execute exempt expand explain export expose extend extract fall fetch filter finish fix flatten ' +
    'flush follow forbid force format forward freeze gate generate get give group guard handle harden hide hoist honor honour ignore implement import improve include increase ' +
    'infer inherit init initialize inject inline insert install integrate introduce invalidate invert invoke isolate keep kill launch let limit link list load localize ' +
    'lock log look lower make map mark match memoize mention merge migrate minimize mock modernize modify move name narrow normalize note notify omit open ' +
    'optimise optimize order output override parametrize parse pass patch perform persist pick pin polish port prefer prepare preserve prevent print process propagate protect ' +
    'provide prune publish pull push put quote raise read rebuild recognize recommend reconcile record recover redesign redirect reduce refactor refine refresh register ' +
    'reject relax release reload remove rename render reorder reorganize repair replace report request require reset resolve respect respond restore restrict restructure ' +
    'retain retry return reuse revert revise rework rewrite rollback rotate round run sanitize save schedule scope select send separate serialize serve set setup share ' +
    'shift ship short-circuit show shrink shuffle silence simplify skip solve sort specify speed split stabilize standardize start stop store stream strengthen strip ' +
    'stub suggest support suppress swap switch sync synchronize tag take target terminate test throttle throw tidy tighten toggle track transform translate treat trigger ' +
    'chunk demote rm unlink trim truncate try turn tweak type tune unblock unexport unlock unwind rewind spawn scan seed sign subscribe surface vendor resize poll nest hook guarantee unify unpin unset unwrap update upgrade upload use utilize validate verify wait warn whitelist widen wire wrap write'
  ).split(' '),
);

/** Whether a word can be a verb as a title has it, as in "decode". */
export const isBaseForm = (word: string): boolean => verbs.has(word);

/** Whether a word says what something does, as in "decodes". */
export const isThirdPerson = (word: string): boolean =>
  /s$/.test(word) &&
  [word.slice(0, -1), word.slice(0, -2), word.replace(/ies$/, 'y')].some((form) => verbs.has(form));

/** "Limit improvements" and "Test coverage" name something; "Fix updates" and "Test the parser" say what is done. */
const isNamed =
  /^\S+ (?:improvements?|updates?|changes?|tweaks?|clean-?ups?|enhancements?|coverage|cases?)$/i;

/** Whether a text begins with what is done: "Add x", "Adds x", "Added x", "Don't x". */
export function beginsWithVerb(text: string): boolean {
  const [first = '', second] = text.toLowerCase().split(' ');
  if (second === undefined || isNamed.test(text)) return false;
  const forms = [first, first.replace(/ed$/, ''), first.replace(/d$/, ''), first.replace(/(.)\1ed$/, '$1')];
  return forms.some((form) => verbs.has(form)) || isThirdPerson(first) || /^(?:don['’]?t|do|no)$/.test(first);
}
