import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';
import { failurePage, unknownAddressPage } from '../../pages/failure.ts';
import { signInLink } from '../../pages/links.ts';
import { beginFailure, type SendFailure, sendFailure } from '../answers/errors.ts';
import { clearSessionCookie } from '../requests/cookies.ts';
import { prefersJson } from '../requests/parse-requests.ts';
import { pageOfForm } from './form.ts';
import type { PageContexts } from './page-contexts.ts';

/** Errors of pages are pages, unless the client wants JSON. */
export const sendFailurePages =
  (contexts: PageContexts): SendFailure =>
  (error, request, reply) => {
    if (prefersJson(request)) return sendFailure(namesNothing(error) ? notFound() : error, request, reply);
    const failure = beginFailure(namesNothing(error) ? notFound() : error, request, reply);
    const isForm = request.method === 'POST';
    const found = contexts.contextFor(request, undefined);
    const context = isForm ? { ...found, address: pageOfForm(request) } : found;
    // A session that has ended leads to signing in, and back.
    if (failure.code === 'UNAUTHORIZED') return leadToSignIn(request, reply, context.address);
    const why = namesNothing(error) && wrongNumber(request);
    if (why) {
      const page = unknownAddressPage(context, { why, off: null, known: [] });
      return reply.headers(contexts.headers).type('text/html; charset=utf-8').send(page.toString());
    }
    const { code, status } = failure;
    const retrySeconds = Number.parseInt(failure.headers['retry-after'] ?? '', 10);
    const page = failurePage(context, {
      code,
      status,
      requestId: request.id,
      message: isTold(failure, isForm) ? failure.message : null,
      retrySeconds: Number.isNaN(retrySeconds) ? null : retrySeconds,
      isForm,
    });
    return reply.headers(contexts.headers).type('text/html; charset=utf-8').send(page.toString());
  };

function leadToSignIn(request: FastifyRequest, reply: FastifyReply, address: string): FastifyReply {
  clearSessionCookie(request, reply);
  return reply.redirect(signInLink(address), 303);
}

/** A page that is not there is one and the same, whatever is not shown; our own faults are named by their number alone. */
const isTold = ({ status, code }: Failure, isForm: boolean): boolean =>
  code !== 'INTERNAL' && (isForm || status !== 404);

/** A path that no pull request can have is a path at which there is nothing. */
function namesNothing(error: unknown): boolean {
  return error instanceof Error && 'validationContext' in error && error.validationContext === 'params';
}

/** A number that no pull request can have is said to be that. */
function wrongNumber({ params }: FastifyRequest): 'hugeNumber' | 'zero' | null {
  const number = String((params as { number?: unknown }).number);
  if (/^0+$/.test(number)) return 'zero';
  return /^\d{16,}$/.test(number) ? 'hugeNumber' : null;
}

const notFound = () => new Failure('NOT_FOUND', 'There is nothing at this address.');
