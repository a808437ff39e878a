import { Check } from 'typebox/value';
import { Type } from '../../contract/type.ts';
import { type Finding, failure, ok, warning } from '../../domain/errors.ts';
import type { Connect, Examined } from '../host-definition.ts';
import { examineHost } from '../http/examine-host.ts';
import { addressesOf, type GitHubSettings } from './github-settings.ts';

const examined = { id: 'github', urlSetting: 'GITHUB_URL' };

const Limits = Type.Object({
  resources: Type.Object({
    core: Type.Object({ limit: Type.Number(), remaining: Type.Number(), reset: Type.Number() }),
  }),
});

interface GitHubAnswer {
  status: number;
  left: { limit: number; remaining: number; resetAt: Date } | null;
  tokenEndsAt: Date | null;
}

export async function examineGitHub(
  { githubUrl, githubToken }: Pick<GitHubSettings, 'githubUrl' | 'githubToken'>,
  connect: Connect,
): Promise<Examined> {
  const { web, api, isOwn } = addressesOf(githubUrl);
  const context = { web, hasToken: githubToken !== undefined, now: new Date() };
  return examineHost(
    {
      ...examined,
      web,
      address: `${api}/rate_limit`,
      token: githubToken,
      mayBePrivate: isOwn,
      judge({ status, headers, answer }) {
        const core = Check(Limits, answer) ? answer.resources.core : null;
        return judgeGitHub(context, {
          status,
          left: core && { ...core, resetAt: new Date(core.reset * 1000) },
          tokenEndsAt: dateOf(headers.get('github-authentication-token-expiration')),
        });
      },
    },
    connect,
  );
}

/** GitHub's format: 2027-01-31 09:30:00 UTC. */
function dateOf(text: string | null): Date | null {
  const date = new Date(text?.replace(' UTC', 'Z').replace(' ', 'T') ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}

const day = 24 * 60 * 60 * 1000;

export function judgeGitHub(
  { web, hasToken, now }: { web: string; hasToken: boolean; now: Date },
  { status, left, tokenEndsAt }: GitHubAnswer,
): Finding[] {
  if (status === 401)
    return [
      failure(
        'github',
        `${web} refuses GITHUB_TOKEN.`,
        'Make another one; it needs no permission, and may be for what is public alone.',
      ),
    ];
  // An Enterprise Server without limits.
  if (status === 404) return [ok('github', `${web} answers, and sets no limits.`)];
  if (!left)
    return [
      failure(
        'github',
        `${web} answers with HTTP ${status}, and not as GitHub does.`,
        'Check GITHUB_URL, and what a proxy on the way does.',
      ),
    ];
  const amount = `${left.remaining} of ${left.limit} questions left until ${left.resetAt.toISOString()}`;
  return [
    judgeLimit(web, hasToken, left, amount),
    ...(tokenEndsAt && tokenEndsAt.getTime() - now.getTime() < 14 * day
      ? [
          warning(
            'github',
            `GITHUB_TOKEN ends at ${tokenEndsAt.toISOString()}.`,
            'Make another one before that.',
          ),
        ]
      : []),
  ];
}

function judgeLimit(
  web: string,
  hasToken: boolean,
  { limit, remaining }: { limit: number; remaining: number },
  amount: string,
): Finding {
  if (!hasToken)
    return warning(
      'github',
      `${web} answers without GITHUB_TOKEN: ${amount}.`,
      'Set GITHUB_TOKEN; it needs no permission.',
    );
  if (remaining * 10 < limit)
    return warning(
      'github',
      `${web} answers, but its limit is nearly reached: ${amount}.`,
      'Wait, or give other programs a token of their own.',
    );
  return ok('github', `${web} answers and takes GITHUB_TOKEN: ${amount}.`);
}
