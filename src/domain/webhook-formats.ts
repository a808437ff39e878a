/** What a digest is posted as: by what reads it. */
export const webhookFormats = ['slack', 'discord', 'teams', 'json'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

const byHost: [RegExp, WebhookFormat][] = [
  [/^hooks\.slack(?:-gov)?\.com$/, 'slack'],
  [/^(?:[a-z]+\.)?discord(?:app)?\.com$/, 'discord'],
  [/\.(?:webhook\.office\.com|logic\.azure\.com|api\.powerplatform\.com)$/, 'teams'],
];

/** The service that an address belongs to; null for one of the operator's own, or of another service. */
export const knownService = ({ hostname }: URL): WebhookFormat | null =>
  byHost.find(([host]) => host.test(hostname))?.[1] ?? null;
