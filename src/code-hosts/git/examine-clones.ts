import { type Finding, failure, ok, warning } from '../../domain/finding.ts';
import { misplacedRoot } from './misplaced-root.ts';
import { type Survey, surveyClones } from './survey-clones.ts';
import { whyNotShown } from './why-not-shown.ts';

/** As many as fit a screen; what is wrong with the rest is likely the same. */
const shownAtMost = 20;

/** Whether the folder of clones can be read, and what in it is passed over. */
export async function examineClones(gitRepos: string | undefined): Promise<Finding[]> {
  if (!gitRepos) return [ok('clones', 'The sample repository is shown: GIT_REPOS is not set.')];
  const misplaced = await misplacedRoot(gitRepos).catch(() => null);
  if (misplaced) return [warning('clones', misplaced.why, misplaced.remedy)];
  const survey = await surveyClones(gitRepos).catch(() => null);
  if (survey) return judgeClones(gitRepos, survey);
  const remedy = 'Let the user that runs the service read and enter it, or name another one.';
  return [failure('clones', `GIT_REPOS=${gitRepos} cannot be read.`, remedy)];
}

function judgeClones(gitRepos: string, { clones, passedOver }: Survey): Finding[] {
  const count = `${clones} ${clones === 1 ? 'clone' : 'clones'} in ${gitRepos}`;
  const found =
    clones > 0
      ? ok('clones', `${count}.`)
      : warning('clones', `No clones in ${gitRepos}.`, 'Put clones or mirrors there as owner/repo.');
  const shown = passedOver.slice(0, shownAtMost).map(({ folder, why }) => {
    const [reason, remedy] = whyNotShown[why];
    return warning('clones', `${folder} is passed over: ${reason}.`, remedy);
  });
  const more = passedOver.length - shown.length;
  const rest =
    more > 0 ? [warning('clones', `${more} more are passed over.`, 'Mend those above first.')] : [];
  return [found, ...shown, ...rest];
}
