import type { Static } from 'typebox';
import { Count, Flag, List, nullable, OneOf, Positive, record, resource, Text, Url } from './formats.ts';
import { Type } from './type.ts';

const Check = (description: string) => OneOf(['ok', 'failing'], description);

export const HealthCheckResponseData = resource(
  'HealthCheckResponseData',
  {
    ok: Flag('Whether all checks are well.'),
    version: Text('Version of the service.'),
    uptimeSeconds: Count('How long this process has been running.'),
    checks: record({
      database: Check('Whether the database answers.'),
      jobs: Check('Whether background work gets done.'),
    }),
  },
  { example: { ok: true, version: '0.1.0', uptimeSeconds: 4210, checks: { database: 'ok', jobs: 'ok' } } },
);

export type HealthCheckResponseData = Static<typeof HealthCheckResponseData>;

const tokenKinds = ['localToken', 'githubToken', 'gitlabToken', 'giteaToken'] as const;
export type TokenKind = (typeof tokenKinds)[number];

export const Meta = resource(
  'Meta',
  {
    version: Text('Version of the service.'),
    hosts: List(
      record({
        id: Text('What the host parameter takes.'),
        webUrl: nullable(Url('Where its pages are, if it has any.')),
        clientId: Type.Optional(
          Text('What this service is called there, for those who sign in with a device.'),
        ),
        scopes: Type.Optional(Text('What it asks to be allowed there, separated by blanks.')),
      }),
      'Code hosts; the first is meant where none is named.',
    ),
    signIn: List(
      Type.Enum([...tokenKinds, 'browser', 'oidc'], { type: 'string' }),
      'Ways to sign in, beside session tokens: with a token of a host, by browser at /auth/login, with a token of the identity provider.',
    ),
    languages: List(Type.String(), 'Languages in which articles can be written.'),
    writer: nullable(
      Text('What writes articles: a model, as provider/name, or offline; null where nothing does.'),
    ),
    suggestion: nullable(
      record(
        {
          owner: Text('Repository owner.'),
          repo: Text('Repository name.'),
          prNumber: Positive('Number of the pull request.'),
        },
        { description: 'A public pull request of the first host to try; null if there is none.' },
      ),
    ),
  },
  {
    example: {
      version: '0.1.0',
      hosts: [{ id: 'git', webUrl: null }],
      signIn: ['localToken'],
      languages: ['en', 'ja'],
      writer: 'offline',
      suggestion: { owner: 'harborline', repo: 'parcel', prNumber: 10 },
    },
  },
);

export type Meta = Static<typeof Meta>;
