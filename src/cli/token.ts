import { parseArgs } from 'node:util';
import { localNamePattern, mintLocalToken } from '../code-hosts/git/local-token.ts';
import { type Config, readConfig } from '../config.ts';
import { hasSecretKeys, loadSecretKeys } from '../load-secret-keys.ts';
import { type Command, UsageProblem } from './command.ts';
import { print, printProblem } from './print.ts';

const day = 24 * 60 * 60 * 1000;

export const printToken: Command = {
  help: [
    'Usage: pullquote token NAME [--days DAYS]',
    '',
    'Prints a token for the local name NAME and nothing else to standard output. It works while the service runs, and without',
    'it. A service accepts it that has the same data folder, or the same SECRET_KEYS; which folder was used is printed to',
    'standard error.',
    'NAME is 1 to 39 letters, digits, dots, hyphens or underscores.',
    '',
    '  --days DAYS   how long the token is good for, 1 to 365 (default 90)',
  ].join('\n'),
  async run(parameters) {
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: { days: { type: 'string', default: '90' } },
    });
    const [name, ...more] = positionals;
    if (!name || more.length > 0) throw new UsageProblem('Give exactly one name.');
    if (!localNamePattern.test(name)) throw new UsageProblem(`${name} cannot be a local name.`);
    const days = Number(values.days);
    if (!Number.isInteger(days) || days < 1 || days > 365) {
      throw new UsageProblem('--days must be a whole number from 1 to 365.');
    }
    const config = readConfig();
    const hadKeys = hasSecretKeys(config);
    const keys = loadSecretKeys(config);
    if (!config.secretKeys) printProblem(whereKeysAre(config, hadKeys));
    const expiresAt = new Date(Date.now() + days * day);
    print(mintLocalToken(keys, { name, expiresAt, singleUse: false }));
  },
};

const whereKeysAre = ({ dataFolder }: Config, hadKeys: boolean): string =>
  hadKeys
    ? `Made with the key of the data folder ${dataFolder}.`
    : `Made with a new key, in the data folder ${dataFolder}. A service that runs with another data folder does not accept ` +
      'this token: run this in the folder that the service was started in, or set PULLQUOTE_DATA to its data folder.';
