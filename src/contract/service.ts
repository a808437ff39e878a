import type { Static } from 'typebox';
import { Count, Flag, List, nullable, OneOf, Positive, record, resource, Text, Url } from './formats.ts';
import { Type } from './type.ts';

const Check = (description: string) => OneOf(['ok', 'failing'], description);

export const HealthCheckResponseData = resource(
  'HealthCheckResponseData',
  {
    ok: Flag('Whether all checks pass.'),
    version: Text('Version of the service.'),
    uptimeSeconds: Count('How long this process has been running.'),
    checks: record({
      database: Check('Whether the database answers.'),
      jobs: Check('Whether background jobs are running.'),
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
        id: Text('Value for the host parameter.'),
        webUrl: nullable(Url('URL of its pages, if it has any.')),
        clientId: Type.Optional(Text('Client id of this service there, for the device flow.')),
        scopes: Type.Optional(Text('Scopes that the service requests there, separated by spaces.')),
      }),
      'Code hosts; the first is the default.',
    ),
    signIn: List(
      Type.Enum([...tokenKinds, 'browser', 'oidc'], { type: 'string' }),
      'Ways to sign in, besides session tokens: with a code host token, in the browser at /auth/login, or with a token from the identity provider.',
    ),
    languages: List(Type.String(), 'Languages in which articles can be written.'),
    writer: nullable(
      Text('The writer of articles: a model, as provider/name, or offline; null if no articles are written.'),
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
