import type { ArticleSummary } from '../contract/articles.ts';
import type { Digest } from '../contract/digests.ts';
import type { Mail } from '../domain/digests.ts';
import { headlineOf } from '../domain/titles.ts';
import {
  allGroupsOf,
  type DigestGroup,
  isComplete,
  lastDayOf,
  restLine,
  sentenceFor,
} from '../pages/digests.ts';
import { type Html, html, prose } from '../pages/html.ts';
import { languageAttribute, plainText, text } from '../pages/text.ts';
import { interfaceLanguageFor, interfaceWords, type Words } from '../pages/words/words.ts';
import { absoluteLink, begun, type LinkRoot, sentenceOf } from './digest-entry.ts';

/** Inline styles, because mail programs use style sheets only for dark mode. */
const serif = "font-family: Georgia, 'Hiragino Mincho ProN', 'Yu Mincho', serif";
const mono = "font-family: 'Source Code Pro', Menlo, Consolas, monospace";
const quiet = 'color: #5d6068';
const ink = 'color: #1f2024';

const styles = {
  meta: `margin: 4px 0; font-size: 13px; line-height: 1.5; ${mono}; ${quiet}`,
  title: `margin: 0 0 6px; font-size: 24px; line-height: 1.3; font-weight: normal; ${serif}; ${ink}`,
  group: `margin: 32px 0 16px; padding-top: 12px; border-top: 2px solid #1f2024; font-size: 13px; line-height: 1.5; ${mono}; ${ink}`,
  entry: 'margin: 0 0 20px',
  entryTitle: `margin: 0; font-size: 19px; line-height: 1.35; font-weight: normal; ${serif}`,
  titleLink: `text-decoration: none; ${ink}`,
  sentence: `margin: 4px 0; font-size: 16px; line-height: 1.5; ${serif}; ${ink}`,
  foot: `margin: 32px 0 0; padding-top: 12px; border-top: 1px solid #dedad0; font-size: 13px; line-height: 1.6; ${mono}; ${quiet}`,
  link: `text-decoration: underline; ${quiet}`,
  strongLink: 'font-weight: bold; color: #a3361f',
};

const inTheDark = html`
@media (prefers-color-scheme: dark) {
  .paper { background: #16171a !important; }
  .ink, .ink a { color: #e9e6df !important; }
  .strong { border-color: #e9e6df !important; }
  .quiet { color: #a2a4ab !important; }
  .rule { border-color: #32343a !important; }
  .ink a.accent { color: #ff9b80 !important; }
}
`;

const mailPage = (language: string, title: string, main: Html): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${inTheDark}</style>
</head>
<body style="margin: 0; padding: 0; background: #fbfaf7" class="paper">
<div role="article" aria-label="${title}" style="max-width: 600px; margin: 0 auto; padding: 24px 20px 40px; overflow-wrap: anywhere">
${main}
</div>
</body>
</html>
`.toString();

interface Confirmation {
  to: string;
  url: string;
  name: string;
  language: string;
  key: string;
}

export function confirmationMail({ to, url, name, language: wanted, key }: Confirmation): Mail {
  const language = interfaceLanguageFor(wanted);
  const {
    digest: { mail },
    inArticle: { colon },
  } = interfaceWords[language];
  const sentence = mail.confirmRequest(name, new URL(url).host);
  return {
    to,
    subject: mail.confirmSubject,
    text: [sentence, '', `${mail.confirmLink}${colon}${url}`, mail.confirmHow, '', mail.confirmIgnore].join(
      '\n',
    ),
    html: mailPage(
      language,
      mail.confirmSubject,
      html`<h1 style="${styles.title}" class="ink">${mail.confirmSubject}</h1>
<p style="${styles.sentence}" class="ink">${prose(sentence)}</p>
<p style="${styles.sentence}" class="ink"><a href="${url}" style="${styles.strongLink}" class="accent">${mail.confirmLink}</a></p>
<p style="${styles.meta}" class="quiet">${mail.confirmHow}</p>
<p style="${styles.foot}" class="quiet rule">${mail.confirmIgnore}</p>`,
    ),
    messageId: `confirm.${key}`,
  };
}

interface Recipient {
  email: string;
  language: string;
  unsubscribeUrl: string;
  key: string;
}

export function digestMail(digest: Digest, to: Recipient, root: LinkRoot): Mail {
  const language = interfaceLanguageFor(to.language);
  const words = interfaceWords[language];
  const { unsubscribeUrl } = to;
  const shown = { digest, words, root, groups: allGroupsOf(digest), unsubscribeUrl };
  return {
    to: to.email,
    subject: words.digest.mail.subject(
      digest.period,
      words.digest.merged(digest.merged, isComplete(digest)),
      digest.shown,
    ),
    text: asText(shown),
    html: mailPage(language, mailHeading(shown), asHtml(shown)),
    messageId: `digest.${to.key}`,
    unsubscribeUrl,
  };
}

interface Shown {
  digest: Digest;
  words: Words;
  root: LinkRoot;
  groups: DigestGroup[];
  unsubscribeUrl: string;
}

const mailHeading = ({ digest, words }: Shown): string =>
  digest.title === null ? usualHeading({ digest, words }) : plainText(digest.title);

const usualHeading = ({ digest, words }: Pick<Shown, 'digest' | 'words'>): string =>
  words.digest.mine(digest.period, digest.repositories.length);

const days = ({ digest, words }: Shown): string =>
  [
    ...(digest.title === null ? [] : [usualHeading({ digest, words })]),
    words.digest.kinds[digest.period],
    words.digest.days(digest.from, lastDayOf(digest)),
  ].join(' · ');

const begunInMail = ({ digest, words }: Shown): string[] => begun(words.digest, digest);

const partly = ({ digest, words }: Shown): string[] => (isComplete(digest) ? [] : [words.digest.partly]);

const restInMail = ({ words }: Shown, { repository }: DigestGroup): string[] =>
  repository.rest.length > 0 ? [restLine(words, repository.rest)] : [];

function asText(shown: Shown): string {
  const { words, groups, root, digest, unsubscribeUrl } = shown;
  const { colon } = words.inArticle;
  const entry = (item: ArticleSummary): string[] => [
    headlineOf(item.title, item),
    ...(sentenceOf(item) ? [`  ${sentenceOf(item)}`] : []),
    `  #${item.prNumber} · ${item.authorLogin}`,
    `  ${absoluteLink(root, item)}`,
    '',
  ];
  const group = (one: DigestGroup): string[] => [
    `## ${one.repository.owner}/${one.repository.repo}`,
    '',
    ...one.items.flatMap(entry),
    ...restInMail(shown, one),
    '',
  ];
  return [
    mailHeading(shown),
    days(shown),
    ...begunInMail(shown).flatMap((text) => ['', text]),
    ...partly(shown),
    '',
    ...groups.flatMap(group),
    '--',
    words.digest.mail.why[digest.period],
    `${words.digest.toChoice}${colon}${root.publicUrl}/my/digest?period=${digest.period}`,
    `${words.digest.stop}${colon}${unsubscribeUrl}`,
  ].join('\n');
}

function asHtml(shown: Shown): Html {
  const { words, groups, root, digest, unsubscribeUrl } = shown;
  return html`<p style="${styles.meta}" class="quiet">${days(shown)}</p>
<h1 style="${styles.title}" class="ink">${mailHeading(shown)}</h1>
${begunInMail(shown).map((one) => html`<p style="${styles.sentence}" class="ink">${prose(one)}</p>\n`)}${partly(shown).map((line) => html`<p style="${styles.meta}" class="quiet">${line}</p>\n`)}${groups.map((group) => groupInMail(shown, group))}
<p style="${styles.foot}" class="quiet rule">${words.digest.mail.why[digest.period]}<br><a href="${root.publicUrl}/my/digest?period=${digest.period}" style="${styles.link}" class="quiet">${words.digest.toChoice}</a> · <a href="${unsubscribeUrl}" style="${styles.link}" class="quiet">${words.digest.stop}</a></p>`;
}

function groupInMail(shown: Shown, group: DigestGroup): Html {
  const { owner, repo } = group.repository;
  return html`<h2 style="${styles.group}" class="ink strong"><bdi>${owner}/${repo}</bdi></h2>
${group.items.map((item) => entryInMail(shown, item))}
${restInMail(shown, group).map((line) => html`<p style="${styles.meta}" class="quiet">${line}</p>\n`)}`;
}

function entryInMail({ root }: Shown, item: ArticleSummary): Html {
  const sentence = sentenceFor(item);
  return html`<div style="${styles.entry}"${languageAttribute(item.languageCode)}>
<h3 style="${styles.entryTitle}"><a href="${absoluteLink(root, item)}" style="${styles.titleLink}" class="ink">${text(headlineOf(item.title, item))}</a></h3>
${sentence && html`<p style="${styles.sentence}" class="ink">${sentence}</p>\n`}<p style="${styles.meta}" class="quiet">#${item.prNumber} · <bdi>${prose(item.authorLogin)}</bdi></p>
</div>`;
}
