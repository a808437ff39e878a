import openapiTS, { astToString } from 'openapi-typescript';

/** Where a client has every operation that there can be: of all hosts, and with their webhooks. */
export const everyOperation = {
  CODE_HOST: 'git,github',
  GITHUB_WEBHOOK_SECRETS: 'a-secret-of-github',
};

const heading = '// Made of the OpenAPI document by npm run client:types. Changes made by hand are lost.\n\n';

/** The types of the client, as they follow from the OpenAPI document. */
export async function printClientTypes(document: string): Promise<string> {
  return heading + astToString(await openapiTS(JSON.parse(document), { alphabetize: true }));
}
