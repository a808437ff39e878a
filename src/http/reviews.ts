import { readWholeReview } from '../actions/reviews/read-review.ts';
import { ref } from '../contract/formats.ts';
import { WholeReview } from '../contract/reviews.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { pullRequestAddress, pullRequestPath } from './pull-requests.ts';
import { hostQuery } from './requests/choose-code-host.ts';
import { ok } from './responses/response.ts';

export const getReview = (deps: Deps) =>
  endpoint({
    operationId: 'getPullRequestReview',
    summary: 'Get the whole review of a stored pull request',
    description:
      'All comments that the code host showed last, with the lines that they are about as they were then and as they are now. Comments that the code host hides are left out. Clones have no reviews.',
    tag: 'Pull Request',
    access: 'viewer',
    params: pullRequestPath,
    query: hostQuery(deps.codeHosts),
    data: ref(WholeReview),
    success: { 200: 'The review.' },
    failures: ['PULL_REQUEST_NOT_FOUND', 'NOT_FOUND'],
    handle: async (call) => ok(await readWholeReview(deps, pullRequestAddress(deps, call), call.viewer)),
  });
