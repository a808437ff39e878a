import { Failure } from '../../domain/errors.ts';
import { checkableLanguages } from '../../domain/languages.ts';
import { isOfflineLanguage, offlineLanguages } from '../../writing/languages.ts';
import type { ModelWriting } from './compose-with-model.ts';

interface Parts {
  /** Null where articles are written without a model. */
  models: Pick<ModelWriting, 'mayReadPrivate'> | null;
}

/** Who writes about a repository; throws where they cannot in this language. */
export function requireLanguage({ models }: Parts, language: string, isPrivate: boolean): 'ai' | 'offline' {
  const writer = writerFor(models, isPrivate);
  if (!isAvailable(language, writer)) throw languageUnavailable(language, models !== null);
  return writer;
}

/** Whether articles about a repository can be written in a language. */
export const canWriteIn = ({ models }: Parts, language: string, isPrivate: boolean): boolean =>
  isAvailable(language, writerFor(models, isPrivate));

const writerFor = (models: Parts['models'], isPrivate: boolean): 'ai' | 'offline' =>
  models && (!isPrivate || models.mayReadPrivate) ? 'ai' : 'offline';

function isAvailable(language: string, writer: 'ai' | 'offline'): boolean {
  return writer === 'ai' ? checkableLanguages.includes(language) : isOfflineLanguage(language);
}

function languageUnavailable(language: string, hasModel: boolean): Failure {
  const offline = offlineLanguages.join(' or ');
  return new Failure(
    'LANGUAGE_UNAVAILABLE',
    hasModel
      ? `Articles in ${language} cannot be checked here, or this repository is not shown to a model; ask for ${offline}.`
      : `Articles in ${language} need a model, and this service has no model configured; ask for ${offline}.`,
  );
}

/** For what no model writes about. */
export const writtenOfflineOnly = (): Failure =>
  new Failure(
    'LANGUAGE_UNAVAILABLE',
    `This can only be written without a model; ask for ${offlineLanguages.join(' or ')}.`,
  );
