import type { Static } from 'typebox';
import { component, nullable } from './formats.ts';
import { Type } from './type.ts';

const Check = (description: string) => Type.Enum(['ok', 'failing'], { type: 'string', description });

export const HealthCheckResponseData = component(
  'HealthCheckResponseData',
  Type.Object(
    {
      ok: Type.Boolean({ description: 'Whether all checks are well.' }),
      version: Type.String({ description: 'Version of the service.' }),
      uptimeSeconds: Type.Integer({ minimum: 0, description: 'How long this process has been running.' }),
      checks: Type.Object(
        {
          database: Check('Whether the database answers.'),
          jobs: Check('Whether background work gets done.'),
        },
        { additionalProperties: false },
      ),
    },
    {
      additionalProperties: false,
      examples: [{ ok: true, version: '0.1.0', uptimeSeconds: 4210, checks: { database: 'ok', jobs: 'ok' } }],
    },
  ),
);

export type HealthCheckResponseData = Static<typeof HealthCheckResponseData>;

const tokenKinds = ['localToken', 'githubToken', 'gitlabToken', 'giteaToken'] as const;
export type TokenKind = (typeof tokenKinds)[number];

export const Meta = component(
  'Meta',
  Type.Object(
    {
      version: Type.String({ description: 'Version of the service.' }),
      hosts: Type.Array(
        Type.Object(
          {
            id: Type.String({ description: 'What the host parameter takes.' }),
            webUrl: nullable(
              Type.String({ format: 'uri', description: 'Where its pages are, if it has any.' }),
            ),
            clientId: Type.Optional(
              Type.String({
                description: 'What this service is called there, for those who sign in with a device.',
              }),
            ),
            scopes: Type.Optional(
              Type.String({ description: 'What it asks to be allowed there, separated by blanks.' }),
            ),
          },
          { additionalProperties: false },
        ),
        { description: 'Code hosts; the first is meant where none is named.' },
      ),
      signIn: Type.Array(Type.Enum([...tokenKinds, 'browser', 'oidc'], { type: 'string' }), {
        description:
          'Ways to sign in, beside session tokens: with a token of a host, by browser at /auth/login, with a token of the identity provider.',
      }),
      languages: Type.Array(Type.String(), { description: 'Languages in which articles can be written.' }),
      writer: nullable(
        Type.String({
          description:
            'What writes articles: a model, as provider/name, or offline; null where nothing does.',
        }),
      ),
      suggestion: nullable(
        Type.Object(
          {
            owner: Type.String({ description: 'Repository owner.' }),
            repo: Type.String({ description: 'Repository name.' }),
            prNumber: Type.Integer({ minimum: 1, description: 'Number of the pull request.' }),
          },
          {
            additionalProperties: false,
            description: 'A pull request of the first host that anybody may try; null where there is none.',
          },
        ),
      ),
    },
    {
      additionalProperties: false,
      examples: [
        {
          version: '0.1.0',
          hosts: [{ id: 'git', webUrl: null }],
          signIn: ['localToken'],
          languages: ['en', 'ja'],
          writer: 'offline',
          suggestion: { owner: 'harborline', repo: 'parcel', prNumber: 10 },
        },
      ],
    },
  ),
);

export type Meta = Static<typeof Meta>;
