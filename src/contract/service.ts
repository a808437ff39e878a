import { type Static, Type } from 'typebox';
import { component } from './component.ts';

const Check = (description: string) => Type.Enum(['ok', 'failing'], { type: 'string', description });

export const HealthCheckResponseData = component(
  'HealthCheckResponseData',
  Type.Object(
    {
      ok: Type.Boolean(),
      version: Type.String(),
      uptimeSeconds: Type.Integer({ minimum: 0 }),
      checks: Type.Object(
        {
          database: Check('Whether the database answers.'),
          jobs: Check('Whether background work gets done.'),
        },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
);

export type HealthCheckResponseData = Static<typeof HealthCheckResponseData>;

export const Meta = component(
  'Meta',
  Type.Object(
    {
      version: Type.String(),
      hosts: Type.Array(
        Type.Object(
          {
            id: Type.String({ description: 'What the host parameter takes.' }),
            webUrl: Type.Union([Type.String({ format: 'uri' }), Type.Null()]),
          },
          { additionalProperties: false },
        ),
        { description: 'Code hosts; the first is meant where none is named.' },
      ),
      signIn: Type.Array(Type.Enum(['localToken'], { type: 'string' }), {
        description: 'Credentials, beside session tokens, that this service accepts.',
      }),
      languages: Type.Array(Type.String(), { description: 'Languages in which articles can be written.' }),
      writer: Type.Union([Type.Enum(['offline', 'ai'], { type: 'string' }), Type.Null()], {
        description: 'What writes articles; null where nothing does.',
      }),
    },
    { additionalProperties: false },
  ),
);
