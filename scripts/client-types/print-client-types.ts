import openapiTS, { astToString } from 'openapi-typescript';

/** Settings of a service with every operation: all hosts, with webhooks. */
export const everyOperation = {
  CODE_HOST: 'git,github',
  GITHUB_WEBHOOK_SECRETS: 'a-secret-of-github',
};

const heading = '// Made of the OpenAPI document by npm run client:types. Changes made by hand are lost.\n\n';

/** The client's types, generated from the OpenAPI document. */
export async function printClientTypes(document: string): Promise<string> {
  return heading + astToString(await openapiTS(JSON.parse(document), { alphabetize: true }));
}
