import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Finding, failure, ok, StartupProblem, warning } from '../../domain/errors.ts';
import { type CloneProblem, isRepositoryName } from '../../domain/repositories.ts';
import type { Discussion } from '../../domain/reviews.ts';
import type { SecretKeys } from '../../domain/secrets.ts';
import { packageFolder } from '../../version.ts';
import type { CodeHost } from '../code-host.ts';
import { type TakeLock, TemporaryFolders } from '../fetched/fetch-by-git.ts';
import { bareGitEnvironment, type Clone } from '../git-runner/run-git.ts';
import { type AddedClone, locateAdded } from './added-clones.ts';
import { findClone, gitFolderOf, listClones, type PrivateRepository, whyPassedOver } from './find-clone.ts';
import { createGitHost } from './git-host.ts';
import type { MirrorHost, MirrorOptions } from './mirror-repository.ts';

export interface GitSettings {
  gitRepos: string | undefined;
  gitPrivate: PrivateRepository[];
  gitWebUrl: URL | undefined;
  dataFolder: string;
}

export interface AddingSettings {
  gitRoots: string[];
  gitClone: boolean;
  gitCloneHosts: string[];
  gitCloneBytes: number;
}

interface Adding {
  settings: AddingSettings;
  hosts: MirrorHost[];
  listAddedClones: () => Promise<AddedClone[]>;
  networkForGit: MirrorOptions['networkForGit'];
  takeLock: TakeLock;
}

interface Deps {
  searchPath: string;
  secretKeys: SecretKeys;
  clock: () => Date;
  announce: (sentence: string) => void;
}

export async function openGitHost(
  settings: GitSettings & { originUrl?: string | undefined },
  deps: Deps,
  adding?: Adding,
): Promise<CodeHost> {
  const { gitRepos, gitPrivate, gitWebUrl, originUrl, dataFolder } = settings;
  const { searchPath, secretKeys, clock, announce } = deps;
  const root = gitRepos ?? samplesIn(dataFolder);
  if (!gitRepos) await writeSamples(root, searchPath);
  const misplaced = gitRepos && (await misplacedRoot(gitRepos).catch(() => null));
  if (misplaced) announce(`${misplaced.why} ${misplaced.remedy}`);
  for (const { fullName } of gitPrivate) {
    const [owner = '', name = ''] = fullName.split('/');
    if (!(await findClone(root, owner, name)))
      announce(`GIT_PRIVATE lists ${fullName}, which is not in ${root}.`);
  }
  const host = createGitHost({
    root,
    onPassedOver: announcePassedOver(announce),
    git: { path: searchPath, isolatedFolders: join(dataFolder, 'git') },
    webUrl: gitWebUrl?.href.replace(/\/$/, '') ?? null,
    originUrl,
    privateRepositories: gitPrivate,
    secretKeys,
    clock,
    adding: adding && (await openAddedClones(dataFolder, adding)),
    ...(!gitRepos && { discussions: await readSampleDiscussions(root) }),
  });
  return gitRepos ? host : { ...host, suggestPullRequest: async () => samplePullRequest };
}

async function openAddedClones(dataFolder: string, adding: Adding) {
  const { settings, hosts, listAddedClones, networkForGit, takeLock } = adding;
  const mirrors = mirrorsIn(dataFolder);
  const unfinished = new TemporaryFolders(join(mirrors, 'unfinished'), takeLock);
  await unfinished.removeLeft();
  return {
    roots: settings.gitRoots,
    hosts,
    mirrors,
    unfinished,
    isAllowed: settings.gitClone,
    mostBytes: settings.gitCloneBytes,
    list: listAddedClones,
    networkForGit,
  };
}

const mirrorsIn = (dataFolder: string): string => join(dataFolder, 'mirrors');

const run = promisify(execFile);

const samples = new URL('samples/', packageFolder);

const samplePullRequest = { owner: 'harborline', name: 'parcel', number: 13 };

/** The reviews of the sample, by clone and number: clones have none of their own. */
async function readSampleDiscussions(root: string): Promise<Map<string, Record<number, Discussion>>> {
  const files = (await readdir(samples)).filter((name) => name.endsWith(reviewsFile));
  const read = files.map(async (file): Promise<[string, Record<number, Discussion>]> => {
    const [owner = '', name = ''] = file.replace(reviewsFile, '').split('+');
    const clone = await realpath(join(root, owner, `${name}.git`));
    return [clone, JSON.parse(await readFile(new URL(file, samples), 'utf8'))];
  });
  return new Map(await Promise.all(read));
}

const reviewsFile = '.reviews.json';

function samplesIn(dataFolder: string): string {
  return join(dataFolder, 'sample-repositories');
}

export async function writeSamples(folder: string, path: string): Promise<void> {
  const streams = (await readdir(samples)).filter((name) => name.endsWith('.fast-export'));
  for (const stream of streams) {
    const [owner = '', name = ''] = stream.replace('.fast-export', '').split('+');
    const source = new URL(stream, samples);
    const fingerprint = createHash('sha256')
      .update(await readFile(source))
      .digest('hex');
    const target = join(folder, owner, `${name}.git`);
    if ((await readFile(join(target, 'sample-fingerprint'), 'utf8').catch(() => '')) === fingerprint)
      continue;
    const draft = join(folder, `.${name}.${process.pid}`);
    await rm(draft, { recursive: true, force: true });
    await mkdir(join(folder, owner), { recursive: true });
    await git(path, ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', draft]);
    await git(path, ['-C', draft, 'fast-import', '--quiet'], source);
    await writeFile(join(draft, 'sample-fingerprint'), fingerprint);
    await rm(target, { recursive: true, force: true });
    await rename(draft, target).catch(() => rm(draft, { recursive: true, force: true }));
  }
}

async function git(path: string, parameters: string[], input?: URL): Promise<void> {
  const running = run('git', parameters, { env: { ...bareGitEnvironment, PATH: path } });
  const { stdin } = running.child;
  stdin?.on('error', () => {});
  if (input && stdin) createReadStream(input).pipe(stdin);
  else stdin?.end();
  await running.catch((cause) => {
    if (typeof cause.code === 'number') throw cause;
    throw new StartupProblem('Cannot run git. Install git, or add it to PATH.', { cause });
  });
}

const shownAtMost = 20;

export async function examineClones(gitRepos: string | undefined): Promise<Finding[]> {
  if (!gitRepos) return [ok('clones', 'The sample repository is shown: GIT_REPOS is not set.')];
  const misplaced = await misplacedRoot(gitRepos).catch(() => null);
  if (misplaced) return [warning('clones', misplaced.why, misplaced.remedy)];
  const survey = await surveyClones(gitRepos).catch(() => null);
  if (survey) return judgeClones(gitRepos, survey);
  const remedy = 'Give read access to the user that runs the service, or set GIT_REPOS to another folder.';
  return [failure('clones', `Cannot read GIT_REPOS=${gitRepos}.`, remedy)];
}

function judgeClones(gitRepos: string, { clones, passedOver }: Survey): Finding[] {
  const count = `${clones} ${clones === 1 ? 'clone' : 'clones'} in ${gitRepos}`;
  const found =
    clones > 0
      ? ok('clones', `${count}.`)
      : warning('clones', `No clones in ${gitRepos}.`, 'Put clones or mirrors there as owner/repo.');
  return [found, ...judgeSkipped(passedOver)];
}

function judgeSkipped(skipped: Survey['passedOver']): Finding[] {
  const shown = skipped.slice(0, shownAtMost).map(({ folder, why }) => {
    const [reason, remedy] = whyNotShown[why];
    return warning('clones', `${folder} is skipped: ${reason}.`, remedy);
  });
  const more = skipped.length - shown.length;
  const rest = more > 0 ? [warning('clones', `${more} more are skipped.`, 'Fix those above first.')] : [];
  return [...shown, ...rest];
}

export async function examineAdded(
  { gitRoots, dataFolder }: Pick<AddingSettings, 'gitRoots'> & Pick<GitSettings, 'dataFolder'>,
  added: AddedClone[],
): Promise<Finding[]> {
  if (added.length === 0) return [];
  const skipped: Survey['passedOver'] = [];
  for (const one of added) {
    const { clone, problem } = await locateAdded(one, { roots: gitRoots, mirrors: mirrorsIn(dataFolder) });
    if (problem) skipped.push({ folder: `${clone.owner}/${clone.name} in ${clone.gitFolder}`, why: problem });
  }
  const read = added.length - skipped.length;
  const sentence = `${read} of ${added.length} added repositories can be read.`;
  return [...(read > 0 ? [ok('clones', sentence)] : []), ...judgeSkipped(skipped)];
}

interface Survey {
  clones: number;
  passedOver: { folder: string; why: NotShown }[];
}

async function surveyClones(root: string): Promise<Survey> {
  const survey: Survey = { clones: 0, passedOver: [] };
  for (const owner of (await readdir(root)).sort()) {
    const folder = join(root, owner);
    if (owner.startsWith('.') || !(await isExistingFolder(folder))) continue;
    if (await gitFolderOf(folder)) survey.passedOver.push({ folder: owner, why: 'withoutOwner' });
    else if (!isRepositoryName(owner)) survey.passedOver.push({ folder: owner, why: 'noName' });
    else await surveyOwner(root, owner, survey);
  }
  return survey;
}

async function surveyOwner(root: string, owner: string, survey: Survey): Promise<void> {
  const names = await readdir(join(root, owner)).catch(() => null);
  if (!names) survey.passedOver.push({ folder: owner, why: 'unreadable' });
  for (const name of names?.sort() ?? []) {
    if (!(await isExistingFolder(join(root, owner, name)))) continue;
    const why = await whyNot(root, owner, name);
    if (why) survey.passedOver.push({ folder: join(owner, name), why });
    else survey.clones += 1;
  }
}

async function whyNot(root: string, owner: string, folder: string): Promise<NotShown | null> {
  const path = join(root, owner, folder);
  const name = folder.replace(/\.git$/, '');
  if (!isRepositoryName(name)) return 'noName';
  if (!(await readdir(path).catch(() => null))) return 'unreadable';
  const gitFolder = await gitFolderOf(path);
  if (gitFolder) return whyPassedOver({ owner, name, gitFolder });
  const inside = await lstat(join(path, '.git')).catch(() => null);
  return inside?.isFile() ? 'gitFile' : 'noClone';
}

const isExistingFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false;

/**
 * The problem if GIT_REPOS is a clone, or contains clones directly instead of a folder for each owner; otherwise null.
 */
async function misplacedRoot(folder: string): Promise<{ why: string; remedy: string } | null> {
  for await (const _ of listClones(folder)) return null;
  const root = resolve(folder);
  const clone = basename(root) === '.git' ? dirname(root) : root;
  if (await gitFolderOf(root))
    return { why: `GIT_REPOS=${folder} is itself a clone.`, remedy: nameAbove('two levels', clone) };
  for (const name of (await readdir(root).catch(() => [])).sort())
    if (await gitFolderOf(join(root, name)))
      return {
        why: `GIT_REPOS=${folder} contains clones directly, such as ${name}, instead of in a folder for each owner.`,
        remedy: nameAbove('one level', join(root, name)),
      };
  return null;
}

/** The folder above may contain clones that should not be shown. */
function nameAbove(levels: string, clone: string): string {
  const owner = dirname(clone);
  const name = basename(clone).replace(/\.git$/, '');
  const move = 'move it into a new folder as owner/repo, and set GIT_REPOS to that folder';
  if (![basename(owner), name].every(isRepositoryName)) return `${move[0]?.toUpperCase()}${move.slice(1)}.`;
  return (
    `Set it to the folder ${levels} above, GIT_REPOS=${dirname(owner)}: it is then shown as ${basename(owner)}/${name}, with every other ` +
    `clone there. To show only this one, ${move}.`
  );
}

type NotShown = CloneProblem | 'gitFile' | 'noClone' | 'noName' | 'withoutOwner';

const whyNotShown: Record<NotShown, [why: string, remedy: string]> = {
  borrows: [
    'it borrows objects from another clone (git clone --shared or --reference)',
    'In it, run git repack -ad, then remove objects/info/alternates.',
  ],
  leadsOutside: [
    'its refs or objects contain symbolic links that point outside it, or pipes',
    'Clone it again with git clone --mirror.',
  ],
  gitFile: [
    'its .git is a file that points elsewhere, as in a worktree or submodule',
    'Link or clone the repository itself.',
  ],
  missing: [
    'its folder is missing, or this user cannot read it; its articles are still shown',
    'Restore the folder, or remove the repository at /add.',
  ],
  replaced: [
    'its folder was moved and replaced by a link',
    'Remove the repository at /add, then add it under its new path.',
  ],
  outsideRoots: [
    'it was added by an older version, and no folder in GIT_ROOTS contains it',
    'Start the service once with GIT_ROOTS set to a folder that contains it, or remove the repository at /add.',
  ],
  unreadable: ['this user cannot read it', 'Give read access to the user that runs the service.'],
  noClone: [
    'it is not a clone',
    'Replace it with a clone (git clone --mirror), or remove it from the folder.',
  ],
  noName: [
    'its name is not valid for a repository',
    'Rename it, using only letters, digits, dots, hyphens and underscores.',
  ],
  withoutOwner: [
    'it is not in a folder for its owner',
    'Move it into a folder named after its owner, as owner/repo.',
  ],
};

function announcePassedOver(announce: (sentence: string) => void) {
  const announced = new Set<string>();
  return (clone: Clone, reason: CloneProblem): void => {
    if (announced.has(clone.gitFolder)) return;
    announced.add(clone.gitFolder);
    const [why, remedy] = whyNotShown[reason];
    announce(`The clone ${clone.owner}/${clone.name} in ${clone.gitFolder} is skipped: ${why}. ${remedy}`);
  };
}
