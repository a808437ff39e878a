import { parseArgs } from 'node:util';
import { localNamePattern, mintLocalToken } from '../code-hosts/git/local-token.ts';
import { readConfig } from '../config.ts';
import { loadSecretKeys } from '../load-secret-keys.ts';
import { type Command, UsageProblem } from './command.ts';
import { print } from './print.ts';

const day = 24 * 60 * 60 * 1000;

export const printToken: Command = {
  help: [
    'Usage: pullquote token NAME [--days DAYS]',
    '',
    'Prints a token for the local name NAME and nothing else. It works while the service runs, and without it.',
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
    const keys = loadSecretKeys(readConfig());
    const expiresAt = new Date(Date.now() + days * day);
    print(mintLocalToken(keys, { name, expiresAt, singleUse: false }));
  },
};
