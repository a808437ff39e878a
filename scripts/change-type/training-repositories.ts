/**
 * Repositories whose pull requests have conventional titles, of many languages and habits. The order decides which of
 * them are held back together when the table is tried out, so that new ones are added at the end.
 */
export const trainingRepositories = [
  'vitejs+vite',
  'denoland+deno',
  'cosmos+cosmos-sdk',
  'apache+superset',
  'ant-design+ant-design',
  'nuxt+nuxt',
  'argoproj+argo-cd',
  'eslint+eslint',
  'goreleaser+goreleaser',
  'honojs+hono',
  'tauri-apps+tauri',
  'python-poetry+poetry',
  'fastify+fastify',
  'sveltejs+kit',
  'apache+opendal',
  'conventional-changelog+commitlint',
  'ratatui+ratatui',
  'grafana+loki',
  'kestra-io+kestra',
  'Kong+kong',
  'pola-rs+polars',
  'coder+coder',
  'ibis-project+ibis',
  'foundry-rs+foundry',
  'paradigmxyz+reth',
  'flipt-io+flipt',
];
