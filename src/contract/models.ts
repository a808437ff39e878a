import type { Static, TProperties } from 'typebox';
import { modelProblems, providers } from '../domain/model-providers.ts';
import {
  Count,
  Flag,
  LanguageCode,
  List,
  nullable,
  OneOf,
  Owner,
  oneOfOrNull,
  RepositoryName,
  record,
  repositoryFields,
  resource,
  Text,
  Url,
  Uuid,
} from './formats.ts';
import { Type } from './type.ts';

const Provider = OneOf(
  providers,
  'The protocol of the model; most local servers are `compatible` with that of OpenAI.',
);

const ChosenModel = {
  provider: Provider,
  model: Text('Name of the model at its provider.'),
  baseUrl: Url('Address of its API.'),
};

export const limitNames = ['tokensPerDay', 'tokensPerMonth', 'articlesPerDay', 'mayReadPrivate'] as const;

const limits = {
  tokensPerDay: Count('Tokens that the models may read and write per day (UTC), in total.'),
  tokensPerMonth: nullable(
    Count(
      'Tokens that the models may read and write per month (UTC), in total; null: no limit. When these or those of a day are used up, articles are written without a model.',
    ),
  ),
  articlesPerDay: Count('Articles that the model writes per person per day (UTC).'),
  mayReadPrivate: Flag(
    'Whether the models may read private repositories: their diffs, descriptions and comments are then sent to the provider.',
  ),
  setByEnvironment: List(
    OneOf(limitNames, 'The limit.'),
    'Limits that environment variables set. They win and cannot be changed here.',
  ),
};

const used = {
  inputTokens: Count('Tokens that the models read.'),
  outputTokens: Count('Tokens that the models wrote.'),
  estimatedCostUsd: Type.Optional(
    Type.Number({
      minimum: 0,
      description: 'Estimated cost of the calls whose price is known; absent if there are none.',
    }),
  ),
};

const usage = {
  month: Type.String({ pattern: '^\\d{4}-\\d{2}$', description: 'The current month (UTC).' }),
  tokensToday: Count('Tokens that count for the limit of today, with those reserved for calls under way.'),
  tokensThisMonth: Count('Tokens that count for the limit of this month.'),
  byRepository: List(
    record({
      repository: nullable(
        record(repositoryFields, {
          description: 'The repository; null for those that you do not see and tests of models, together.',
        }),
      ),
      ...used,
    }),
    'Tokens by repository, the 100 largest.',
  ),
  byUser: List(
    record({
      user: nullable(
        record(
          { id: Uuid('The user.'), host: Text('The code host.'), hostUsername: Text('Login name there.') },
          { description: 'The user; null for articles for followers and for deleted accounts.' },
        ),
      ),
      ...used,
    }),
    'Tokens by the user who requested the article or asked the question, the 100 largest.',
  ),
};

export const ModelSettings = resource(
  'ModelSettings',
  {
    source: OneOf(
      ['environment', 'settings', 'none'],
      'Where the model is set: by environment variables, which win; by these settings; or nowhere.',
    ),
    isKeyUnreadable: Flag(
      'Whether a stored key cannot be decrypted, because SECRET_KEYS have changed. Until it is set again, articles are written without a model.',
    ),
    writer: nullable(record(ChosenModel, { description: 'The model that writes; null without one.' })),
    reader: nullable(
      record(ChosenModel, {
        description: 'The second model, which compares what is written with the diff; null without one.',
      }),
    ),
    local: List(
      record({
        name: Text('The program.'),
        baseUrl: Url('Address of its API.'),
        models: List(Type.String(), 'The models that it lists.'),
      }),
      'Model servers found on the machine of the service, if no model is set.',
    ),
    limits: nullable(
      record(limits, { description: 'What the models may use and read; null without a model.' }),
    ),
    usage: record(usage, { description: 'Tokens that the models used this month.' }),
  },
  {
    example: {
      source: 'settings',
      isKeyUnreadable: false,
      writer: { provider: 'anthropic', model: 'claude-sonnet-4-5', baseUrl: 'https://api.anthropic.com/v1' },
      reader: null,
      local: [],
      limits: {
        tokensPerDay: 10_000_000,
        tokensPerMonth: null,
        articlesPerDay: 50,
        mayReadPrivate: false,
        setByEnvironment: [],
      },
      usage: {
        month: '2026-03',
        tokensToday: 0,
        tokensThisMonth: 86_000,
        byRepository: [
          {
            repository: { host: 'github', owner: 'acme', repo: 'rocket' },
            inputTokens: 80_000,
            outputTokens: 6_000,
            estimatedCostUsd: 0.33,
          },
        ],
        byUser: [{ user: null, inputTokens: 80_000, outputTokens: 6_000, estimatedCostUsd: 0.33 }],
      },
    },
  },
);

export const WritingEstimate = resource(
  'WritingEstimate',
  {
    articles: Count('Articles that would be written.'),
    inputTokens: Count('Tokens that the models would probably read.'),
    outputTokens: Count('Tokens that they would probably write.'),
    estimatedCostUsd: Type.Optional(
      Type.Number({ minimum: 0, description: 'Their cost by list price; absent if it is unknown.' }),
    ),
  },
  { example: { articles: 20, inputTokens: 240_000, outputTokens: 29_000, estimatedCostUsd: 1.16 } },
);

export type ModelSettings = Static<typeof ModelSettings>;

export const wantedModelFields = {
  provider: Provider,
  model: Type.String({ pattern: '^[\\w.:/@+-]{1,120}$', description: 'Name of the model at its provider.' }),
  apiKey: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,1000}$',
      description:
        'Key for the provider. It is stored encrypted and never shown again; without one, the key stored for the same provider and address stays.',
    }),
  ),
  baseUrl: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s@?#]{1,400}$',
      description: 'Address of its API, if it is not the usual one; required for `compatible`.',
    }),
  ),
};

const wantedSettings = {
  writer: record(wantedModelFields),
  reader: Type.Optional(
    nullable(record(wantedModelFields, { description: 'The second model; absent: the writer; null: none.' })),
  ),
  limits: Type.Optional(
    record({
      tokensPerDay: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })),
      tokensPerMonth: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }))),
      articlesPerDay: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
      mayReadPrivate: Type.Optional(Type.Boolean()),
    }),
  ),
};

const example = {
  writer: { provider: 'anthropic', model: 'claude-sonnet-4-5', apiKey: 'sk-ant-0123456789' },
};

export const WantedModelSettings = record(wantedSettings, { example });

const { writer: _, ...others } = wantedSettings;

/** The models in use if there is no writer. */
const triedSettings = { writer: Type.Optional(record(wantedModelFields)), ...others };

export const TestedModels = record(triedSettings, { example });

const previewFields = {
  owner: Owner(),
  repo: RepositoryName(),
  number: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Number of the pull request',
  }),
  language: Type.Optional(LanguageCode()),
};

export const previewBody = <Host extends TProperties>(host: Host) =>
  record(
    { ...host, ...previewFields, ...triedSettings },
    { example: { owner: 'octo', repo: 'rocket', number: 7, ...example } },
  );

const caught = (of: string) =>
  Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    maximum: 5,
    description: `Of five ${of}; null without a second model.`,
  });

export const ModelTest = resource(
  'ModelTest',
  {
    answers: Flag('Whether both models replied.'),
    keepsFormat: Flag('Whether both replies have the requested form.'),
    liesCaught: caught('false sentences, how many the second model rejected'),
    truthsKept: caught('true sentences, how many the second model approved'),
    problem: oneOfOrNull(modelProblems, 'The first thing that keeps a model from being used.'),
    problemOf: oneOfOrNull(['writer', 'reader'], 'The model with the problem.'),
  },
  {
    example: {
      answers: true,
      keepsFormat: true,
      liesCaught: 5,
      truthsKept: 5,
      problem: null,
      problemOf: null,
    },
  },
);
