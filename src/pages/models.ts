import type { Job } from '../contract/jobs.ts';
import type { ModelSettings } from '../contract/models.ts';
import {
  type LocalModels,
  type ModelProblem,
  modelProblems,
  type Provider,
  suggestModels,
} from '../domain/model-providers.ts';
import { articleText } from './articles/article.ts';
import { headline, type ShownArticle } from './articles/shown-article.ts';
import { problemNote } from './failure.ts';
import { type Html, html, nothing } from './html.ts';
import { buttonForm, hiddenFields, layout, noIndex, type PageContext } from './layout.ts';
import { articleLink, withQuery } from './links.ts';
import { refreshWhile } from './progress.ts';
import { languageAttribute, said, text, within } from './text.ts';

interface ShownDraft {
  id: string;
  provider: Provider;
  baseUrl: string;
  models: string[];
  writer: string | null;
  reader: string | null;
  mayReadPrivate: boolean;
}

export interface ShownPreview {
  written: ShownArticle;
  present: ShownArticle;
  isPresentShown: boolean;
  seconds: number;
}

export interface ShownModels {
  settings: ModelSettings;
  /** The settings that the forms change; null if there are none. */
  revision: string | null;
  draft: ShownDraft | null;
  /** Why a provider could not be connected. */
  refused: { provider: Provider; problem: ModelProblem } | null;
  job: Job | null;
  preview: ShownPreview | null;
  /** An article of the samples. */
  example: { host: string; owner: string; repo: string; number: number } | null;
  /** Pull requests that have an article, as owner/repo#number; the first is offered. */
  pulls: string[];
}

const path = '/settings/model';

const names = { anthropic: 'Anthropic', openai: 'OpenAI', google: 'Google' };

const isLocal = (baseUrl: string): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(baseUrl)?.hostname ?? '');

const placeName = (provider: Provider, baseUrl: string): string =>
  provider === 'compatible' ? (URL.parse(baseUrl)?.host ?? baseUrl) : names[provider];

export function modelsPage(context: PageContext, shown: ShownModels): Html {
  const { words } = context;
  const { settings, draft, example, job, preview } = shown;
  const { model } = words;
  const isUnderWay = job?.state === 'queued' || job?.state === 'running';
  return layout(context, {
    title: `${model.title} · Pullquote`,
    head: html`${noIndex}${refreshWhile(isUnderWay)}`,
    scripts: [...(isUnderWay ? ['models.js'] : []), ...(preview ? ['sentences.js', 'lines.js'] : [])],
    styles: ['doing.css', 'models.css'],
    main: html`<div class="models">
<p class="meta"><a href="/settings">${words.settings.title}</a></p>
<h1>${model.title}</h1>
<p>${model.intro}${example && html` <a href="${articleLink({ ...example, prNumber: example.number }, context.firstHost)}">${model.example}</a>`}</p>
${inUse(context, shown)}
${settings.source !== 'environment' && (draft ? choosing(context, draft, shown) : ways(context, shown))}
${trial(context, shown)}
${limits(context, shown)}
${usage(context, settings)}
</div>`,
  });
}

const card = (content: Html, look = nothing): Html =>
  html`<section class="card"${look}>${content}</section>\n`;

function inUse(context: PageContext, { settings, revision, draft, pulls }: ShownModels): Html {
  const { model } = context.words;
  const { source, writer, isKeyUnreadable } = settings;
  if (isKeyUnreadable) return html`<p class="problem">${model.unreadable}</p>${offForm(context, revision)}`;
  if (!writer) return html`<p class="quiet">${model.none}</p>`;
  const tries = html`<form method="post" action="${path}/test">${previewField(context, pulls, 'pull-in-use')}<p><button class="second">${model.test}</button> <button class="second" formaction="${path}/preview">${model.preview}</button></p></form>`;
  return card(html`<div class="heads"><div><h2>${model.inUse}</h2>
<p><b>${placeName(writer.provider, writer.baseUrl)}</b> <span class="quiet">${roles(context, settings)}</span></p></div>
${source === 'settings' && offForm(context, revision)}</div>
${source === 'environment' && html`<p class="quiet">${text(model.byEnvironment)}</p>`}
${!draft && tries}`);
}

function roles({ words: { model } }: PageContext, { writer, reader }: ModelSettings): Html {
  const name = html`<bdi>${writer?.model}</bdi>`;
  if (!reader) return html`${name} ${model.writes}, ${model.unchecked}`;
  return reader.model === writer?.model && reader.baseUrl === writer.baseUrl
    ? html`${name} ${model.writesAndChecks}`
    : html`${name} ${model.writes}, <bdi>${reader.model}</bdi> ${model.checks}`;
}

const offForm = ({ words: { model } }: PageContext, revision: string | null): Html =>
  buttonForm(
    `${path}/off`,
    { revision: revision ?? '' },
    html`<button class="second" title="${model.offHint}">${model.off}</button>`,
  );

function ways(context: PageContext, { settings, refused }: ShownModels): Html {
  const { model } = context.words;
  const own = (['anthropic', 'openai', 'google'] as const).map((provider) =>
    way(context, refused, {
      provider,
      name: names[provider],
      hint: model.pasteKey,
      fields: keyField(context, provider, true),
    }),
  );
  const address = html`<label for="base-url">${model.address}</label>
<input id="base-url" name="baseUrl" type="url" required maxlength="400" placeholder="https://…/v1" autocomplete="off" autocapitalize="off" spellcheck="false">
`;
  return html`${settings.local.map((found) => foundHere(context, found))}${own}${way(context, refused, {
    provider: 'compatible',
    name: model.others,
    hint: model.othersHint,
    fields: html`${address}${keyField(context, 'compatible', false)}`,
  })}`;
}

const foundHere = ({ words: { model } }: PageContext, { name, baseUrl, models }: LocalModels): Html =>
  card(html`<div class="heads"><p><b>${name}</b> ${model.here} <span class="quiet"><bdi>${models.slice(0, 4).join(', ')}${models.length > 4 && '…'}</bdi></span></p>
${buttonForm(`${path}/connect`, { provider: 'compatible', baseUrl }, html`<button aria-label="${model.connect}: ${name}">${model.connect}</button>`)}</div>`);

const keyField = ({ words: { model } }: PageContext, provider: Provider, isRequired: boolean): Html =>
  html`<label for="key-${provider}">${isRequired ? model.key : model.keyOptional}</label>
<input id="key-${provider}" name="apiKey" type="password"${isRequired && html` required`} maxlength="1000" autocomplete="off" spellcheck="false" aria-describedby="hint-${provider}">
<p class="quiet" id="hint-${provider}">${model.keyHint}</p>
`;

function way(
  { words: { model } }: PageContext,
  refused: ShownModels['refused'],
  { provider, name, hint, fields }: { provider: Provider; name: string; hint: string; fields: Html },
): Html {
  const problem = refused?.provider === provider ? refused.problem : null;
  return html`<details class="card"${problem && html` open`}><summary><span><b>${name}</b> <span class="quiet">${hint}</span></span> <span class="look">${model.connect}</span></summary>
${problem && html`<p class="problem" role="alert">${model.problems[problem]}</p>`}
<form method="post" action="${path}/connect">${hiddenFields({ provider })}${fields}<button>${model.connect}</button></form></details>
`;
}

function choosing(context: PageContext, draft: ShownDraft, { pulls, settings }: ShownModels): Html {
  const { model } = context.words;
  const { id, provider, baseUrl, models, mayReadPrivate } = draft;
  const found = settings.local.find((one) => one.baseUrl === baseUrl);
  const name = found?.name ?? placeName(provider, baseUrl);
  const suggested = suggestModels(provider, models);
  return card(html`<div class="heads"><h2>${name}${isLocal(baseUrl) && html` <span class="quiet">${model.here}</span>`}</h2>
${buttonForm(`${path}/drop`, { draft: id }, html`<button class="plain">${model.drop}</button>`)}</div>
<form method="post" action="${path}/test">${hiddenFields({ draft: id })}
${field(context, 'writer', { label: model.writer, models, chosen: draft.writer, suggested: suggested.writer })}
${field(context, 'reader', { label: model.reader, models, chosen: draft.reader, suggested: suggested.reader })}
<p class="check"><input type="checkbox" id="private" name="private" value="yes" aria-describedby="private-hint"${mayReadPrivate && html` checked`}> <label for="private">${model.mayReadPrivate}</label></p>
<p class="quiet" id="private-hint">${model.privateHint(name)}</p>
${previewField(context, pulls, 'pull')}
<p><button class="second">${model.test}</button> <button class="second" formaction="${path}/preview">${model.preview}</button> <button formaction="${path}/use">${model.use}</button></p></form>`);
}

/** A choice among the listed models, or a field for the name of one. */
function field(
  { words: { model } }: PageContext,
  name: 'writer' | 'reader',
  {
    label,
    models,
    chosen,
    suggested,
  }: { label: string; models: string[]; chosen: string | null; suggested: string | null },
): Html {
  const isOptional = name === 'reader';
  if (models.length === 0)
    return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${chosen}"${!isOptional && html` required`} maxlength="120" autocomplete="off" autocapitalize="off" spellcheck="false">`;
  const ordered = [...new Set([...(suggested === null ? [] : [suggested]), ...models])];
  return html`<label for="${name}">${label}</label>
<select id="${name}" name="${name}">${ordered.map(
    (one) =>
      html`<option value="${one}"${one === chosen && html` selected`}>${one === suggested && models.length > 1 ? model.suggested(one) : one}</option>`,
  )}${isOptional && html`<option value=""${chosen === null && html` selected`}>${model.noReader}</option>`}</select>`;
}

function previewField({ words: { model } }: PageContext, pulls: string[], id: string): Html {
  return html`<label for="${id}">${model.pull}</label>
<input id="${id}" name="pull" value="${pulls[0]}" list="${id}-list" maxlength="400" placeholder="owner/repo#12" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="${id}-hint">
<datalist id="${id}-list">${pulls.map((pull) => html`<option value="${pull}"></option>`)}</datalist>
<p class="quiet" id="${id}-hint">${model.pullHint}</p>
`;
}

function trial(context: PageContext, shown: ShownModels): Html {
  const { words } = context;
  const { job, preview } = shown;
  const { model, doing } = words;
  if (!job) return nothing;
  const isTest = job.work === 'test';
  if (job.state === 'queued' || job.state === 'running') {
    const { testing } = model;
    const steps = isTest
      ? Object.fromEntries(
          Object.keys(doing.steps).map((step) => [
            step,
            step === 'queued' || step === 'reading' ? testing[step] : testing.other,
          ]),
        )
      : doing.steps;
    const { step, done, total } = job.progress;
    const attributes = Object.entries(steps).map(
      ([name, word]) => html` data-${name.replaceAll(' ', '-')}="${word}"`,
    );
    return html`<section class="trial" id="trial"><div id="progress" class="progress" data-job="${job.id}"${attributes}>
<form method="post" action="${path}/cancel">${hiddenFields({ job: job.id })}<p><span id="step" role="status">${Object.entries(steps).find(([name]) => name === step)?.[1]}</span> <button class="plain" id="cancel">${doing.cancel}</button></p></form>
<progress aria-label="${doing.progress}" max="1"${total > 0 && html` value="${done / total}"`}></progress><noscript><p class="quiet">${model.loadsAgain}</p></noscript></div>
${problemNote(context)}</section>`;
  }
  const known = modelProblems.find((one) => one === job.error?.details?.[0]?.problem);
  if (known)
    return html`<section class="trial" id="trial"><p class="problem" role="alert">${context.words.model.problems[known]}</p></section>`;
  const failed =
    job.error &&
    problemNote(
      context,
      {},
      { code: job.error.code, message: job.state === 'cancelled' ? doing.cancelled : job.error.message },
    );
  return html`<section class="trial" id="trial">${failed}${job.test && tested(context, job.test)}${preview && previewed(context, preview, shown)}</section>`;
}

function tested({ words: { model } }: PageContext, test: NonNullable<Job['test']>): Html {
  const { problem, problemOf, liesCaught, truthsKept } = test;
  if (problem)
    return html`<h2>${model.tested}</h2><p class="problem" role="alert">${problemOf && html`<b>${model.problemOf[problemOf]}</b>: `}${model.problems[problem]}</p>`;
  const isWeak = liesCaught !== null && truthsKept !== null && Math.min(liesCaught, truthsKept) < 4;
  return html`<h2>${model.tested}</h2><p role="status">${model.works}</p>
<p>${liesCaught === null || truthsKept === null ? model.unchosen : model.caught(liesCaught, truthsKept)}${isWeak && html` <b>${model.weak}</b>`}</p>`;
}

function previewed(context: PageContext, preview: ShownPreview, { job, draft, settings }: ShownModels): Html {
  const { words, firstHost } = context;
  const { model } = words;
  const { written, present, isPresentShown, seconds } = preview;
  const shown = isPresentShown ? present : written;
  const { content, article } = shown;
  const { usage: used, verification, writer, languageCode } = written.content;
  const address = withQuery(path, { job: job?.id });
  const name = (writer.kind === 'ai' && writer.model) || model.title;
  const side = (word: string, isShown: boolean, to: string): Html =>
    isShown ? html`<b>${word}</b>` : html`<a href="${to}">${word}</a>`;
  const around = { ...context, ours: within(content.languageCode, context.language) };
  const cost = used?.estimatedCostUsd;
  const price = isLocal(draft?.baseUrl ?? settings.writer?.baseUrl ?? '')
    ? model.freeHere
    : cost === undefined
      ? model.noPrice
      : model.price(cost.toFixed(3));
  const facts = [
    ...(used ? [model.tokens(words.number(used.inputTokens), words.number(used.outputTokens)), price] : []),
    model.seconds(seconds),
    model.kept(verification.claims - verification.dropped, verification.claims),
  ];
  const place = `${article.owner}/${article.repo}#${article.prNumber}`;
  return html`<div class="sides"><h2>${model.preview}${words.inArticle.colon}<a href="${articleLink(article, firstHost, { language: languageCode })}">${place}</a></h2>
<nav class="languages" aria-label="${words.article.compare}">${side(model.withModel(name), !isPresentShown, address)} ${side(model.asItIs, isPresentShown, withQuery(path, { job: job?.id, side: 'present' }))}</nav></div>
<article class="article"${languageAttribute(content.languageCode)}>
<p class="headline">${said(content.languageCode, headline(shown))}</p>
${content.standfirst && html`<p class="standfirst">${said(content.languageCode, content.standfirst.text)}</p>`}
<p class="quiet"${around.ours}>${facts.join(' · ')}</p>
${
  draft?.writer &&
  html`<p${around.ours}>${buttonForm(`${path}/use`, chosenIn(draft), html`<button class="filled">${model.use}</button>`)} <a href="${path}#pull">${model.another}</a></p>`
}
<div class="text">${articleText(around, shown)}</div></article>`;
}

const chosenIn = ({ id, writer, reader, mayReadPrivate }: ShownDraft) => ({
  draft: id,
  writer: writer ?? '',
  reader: reader ?? '',
  ...(mayReadPrivate && { private: 'yes' }),
});

function limits(context: PageContext, { settings, revision }: ShownModels): Html {
  const { model, settings: own } = context.words;
  const { writer, limits: set, source } = settings;
  if (!set || !writer || source !== 'settings' || revision === null) return nothing;
  const amount = (name: 'tokensPerDay' | 'tokensPerMonth' | 'articlesPerDay'): Html => {
    const isFixed = set.setByEnvironment.includes(name);
    return html`<label for="${name}">${model[name]}${isFixed && html` <span class="quiet">${model.fixed}</span>`}</label>
<input id="${name}" name="${name}" type="number" min="0" max="1000000000000" value="${set[name]}"${name !== 'tokensPerMonth' && html` required`}${isFixed && html` disabled`}>
`;
  };
  const isFixed = set.setByEnvironment.includes('mayReadPrivate');
  return html`<section class="part"><h2>${model.limits}</h2><form method="post" action="${path}/limits">${hiddenFields({ revision })}
${amount('tokensPerDay')}${amount('tokensPerMonth')}${amount('articlesPerDay')}<p class="check"><input type="checkbox" id="may-read" name="private" value="yes" aria-describedby="may-read-hint"${set.mayReadPrivate && html` checked`}${isFixed && html` disabled`}> <label for="may-read">${model.mayReadPrivate}${isFixed && html` <span class="quiet">${model.fixed}</span>`}</label></p>
<p class="quiet" id="may-read-hint">${model.privateHint(placeName(writer.provider, writer.baseUrl))}</p>
<button class="second">${own.save}</button></form></section>
`;
}

const mostRows = 10;

function usage({ words }: PageContext, { usage: used, writer }: ModelSettings): Html {
  const { model } = words;
  const { byRepository, byUser } = used;
  if (byRepository.length === 0 && !writer) return nothing;
  const list = (heading: string, rows: { name: string; tokens: number; usd: number | undefined }[]): Html =>
    html`<h3>${heading}</h3>
<ul class="sessions">${rows
      .slice(0, mostRows)
      .map(
        ({ name, tokens, usd }) =>
          html`<li><bdi>${name}</bdi> <span class="quiet">${model.tokensUsed(words.number(tokens), usd === undefined ? null : usd.toFixed(2))}</span></li>`,
      )}</ul>
`;
  const amounts = ({ inputTokens, outputTokens, estimatedCostUsd: usd }: (typeof byUser)[number]) => ({
    tokens: inputTokens + outputTokens,
    usd,
  });
  return html`<section class="part"><h2>${model.usage}</h2>
${
  byRepository.length === 0
    ? html`<p class="quiet">${model.nothingUsed}</p>`
    : html`${list(
        model.byRepository,
        byRepository.map(({ repository, ...used }) => ({
          name: repository ? `${repository.owner}/${repository.repo}` : model.otherRepositories,
          ...amounts({ user: null, ...used }),
        })),
      )}${list(
        model.byUser,
        byUser.map((used) => ({ name: used.user?.hostUsername ?? model.followers, ...amounts(used) })),
      )}`
}</section>
`;
}
