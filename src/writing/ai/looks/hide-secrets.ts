import { maskKeys } from '../../../domain/secrets.ts';
import { isCodeFile } from '../../verify/find-name.ts';

const secretNames =
  /^(?:\.env.*|.*\.env|\.envrc|.*\.(?:pem|key|p12|pfx|p8|pkcs12|jks|keystore|kdbx|kdb|ppk|gpg|pgp|asc|ovpn|tfvars|tfstate|mobileprovision|htpasswd)(?:\..*)?|id_(?:rsa|dsa|ecdsa|ed25519).*|[._]netrc|\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.dockercfg|\.boto|\.s3cfg|kubeconfig.*|wp-config.*|local\.settings\.json|auth\.json|gradle\.properties)$/i;

/** Code may be about secrets, while other files with such names contain them. */
const secretSubjects =
  /(?:^|[._-])(?:credentials?|secrets?|passwords?|passwd|tokens?|service[_-]?account|apikeys?)(?:[._-]|$)/i;

const secretFolders =
  /^(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|secrets?|credentials?|private[_-]?keys?)$/i;

/** Whether the path suggests that a file contains secrets; none of its lines are shown. */
export function isSecretPath(path: string): boolean {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  if (secretNames.test(name)) return true;
  return (
    !isCodeFile(path) && (secretSubjects.test(name) || folders.some((folder) => secretFolders.test(folder)))
  );
}

const secretTexts =
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY|PuTTY-User-Key-File|"private_key"\s{0,3}:|^machine \S{1,200}\s{1,20}login |^[\w.@-]{1,60}:\$(?:apr1|2[aby]|5|6)\$/m;

const setting = /^(?:export )?[A-Z][A-Z\d_]{2,60}=\S/;

/** Whether a file contains secrets, by its content: a key, or only variables with values. */
export function holdsSecrets(path: string, lines: string[]): boolean {
  if (lines.some((line) => secretTexts.test(line.slice(0, 400)))) return true;
  const said = lines.slice(0, 400).filter((line) => /^\s{0,80}[^\s#]/.test(line.slice(0, 100)));
  const set = said.filter((line) => setting.test(line.slice(0, 100)));
  return !isCodeFile(path) && set.length > 2 && set.length > said.length * 0.7;
}

const subject =
  '(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|master[_-]?key|credentials?|authorization|bearer|session[_-]?id|cookie|salt|webhook|dsn|connection[_-]?string)';

const quotedValue = new RegExp(
  `(${subject}[\\w.-]{0,40}["'\`\\]]{0,2}\\s{0,8}(?::=|=>|[:=(,])\\s{0,8}(?:[\\w.]{1,30}\\()?)(["'\`])[^"'\`]{3,400}\\2?`,
  'gi',
);

const plainValue = new RegExp(
  `(${subject}[\\w.-]{0,40}["']?\\s{0,8}(?:=>|[:=])\\s{0,8})(?![\\[{$<"'])[^\\s,;#]{3,400}.{0,400}`,
  'gi',
);

const inElement = new RegExp(`(<[\\w:.-]{0,40}${subject}[\\w:.-]{0,40}>)[^<]{3,400}`, 'gi');

const inAddress = /(:\/\/[^\s:@/'"]{0,100}:)[^\s@/'"]{1,200}@/g;

const afterScheme = /\b(Bearer|Basic|Digest|token) +(?=[a-z+/=_.~-]{0,400}[\dA-Z])[\w+/=.~-]{8,400}/g;

const run = /[A-Za-z0-9+/=_-]{20,400}/g;

/** Masks everything that looks like a secret, because lines outside of the change must not reveal any. */
export function hideSecrets(path: string, line: string): string {
  const masked = maskKeys(line)
    .replace(inAddress, '$1[masked]@')
    .replace(quotedValue, '$1$2[masked]$2')
    .replace(inElement, '$1[masked]')
    .replace(afterScheme, '$1 [masked]')
    .replace(run, (text) => (isRandom(text) ? '[masked]' : text));
  return isCodeFile(path) ? masked : masked.replace(plainValue, '$1[masked]');
}

const kindOf = (character: string): string =>
  /[a-z]/.test(character) ? 'a' : /[A-Z]/.test(character) ? 'A' : /\d/.test(character) ? '1' : '-';

/** In random text, letters and digits alternate far more often than in names. */
function isRandom(text: string): boolean {
  const kinds = [...text].map(kindOf);
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1] && kind !== '-').length;
  const digits = kinds.filter((kind) => kind === '1').length;
  return digits > 0 && changes >= text.length * 0.3;
}
