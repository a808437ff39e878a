import type { ArticleSummary } from '../contract/article.ts';
import type { Digest } from '../contract/digest.ts';
import type { Mail } from '../domain/mail.ts';
import { allGroupsOf, type DigestGroup, isComplete, lastDayOf } from '../pages/digest-groups.ts';
import { type Html, html, prose } from '../pages/html.ts';
import { inLanguage } from '../pages/in-language.ts';
import { quoted } from '../pages/quotation.ts';
import { text } from '../pages/text.ts';
import { interfaceWords, spokenAround } from '../pages/words/interface-languages.ts';
import type { Words } from '../pages/words/words.ts';
import { absoluteLink, type LinkRoot, sentenceOf } from './digest-links.ts';
import { mailPage, styles } from './mail-page.ts';

interface Recipient {
  email: string;
  language: string;
  unsubscribeUrl: string;
  /** The same for the same digest. */
  key: string;
}

/** The digest of a user as a mail: as text, and as a page without scripts and without anything that is loaded. */
export function digestMail(digest: Digest, to: Recipient, root: LinkRoot): Mail {
  const language = spokenAround(to.language);
  const words = interfaceWords[language];
  const shown: Shown = {
    digest,
    words,
    root,
    groups: allGroupsOf(digest),
    unsubscribeUrl: to.unsubscribeUrl,
  };
  return {
    to: to.email,
    subject: words.digest.mail.subject(digest.period, mergedIn(shown), digest.shown),
    text: asText(shown),
    html: mailPage({ language, title: heading(shown), main: asHtml(shown) }).toString(),
    messageId: `digest.${to.key}`,
    unsubscribeUrl: to.unsubscribeUrl,
  };
}

interface Shown {
  digest: Digest;
  words: Words;
  root: LinkRoot;
  groups: DigestGroup[];
  unsubscribeUrl: string;
}

const heading = ({ digest, words }: Shown): string =>
  words.digest.mine(digest.period, digest.repositories.length);

const days = ({ digest, words }: Shown): string =>
  `${words.digest.kinds[digest.period]} · ${words.digest.days(digest.from, lastDayOf(digest))}`;

const mergedIn = ({ digest, words }: Shown): string => words.digest.merged(digest.merged, isComplete(digest));

function counts(shown: Shown): string {
  const { digest, words } = shown;
  const { written, shown: chosen } = words.digest;
  return [mergedIn(shown), written(digest.written), chosen(digest.shown), words.digest.chosen].join(' · ');
}

/** Where a watch began within the period, or there was none, that more may have been merged. */
const partly = ({ digest, words }: Shown): string[] => (isComplete(digest) ? [] : [words.digest.partly]);

const restOf = ({ words }: Shown, { repository }: DigestGroup): string[] =>
  repository.rest.map(({ reason, count }) => words.digest.reasons[reason](count));

function asText(shown: Shown): string {
  const { words, groups, root, digest, unsubscribeUrl } = shown;
  const entry = (item: ArticleSummary): string[] => [
    item.aiGeneratedTitle,
    ...(sentenceOf(item) ? [`  ${sentenceOf(item)}`] : []),
    `  #${item.prNumber} · ${item.authorLogin}`,
    `  ${absoluteLink(root, item)}`,
    '',
  ];
  const group = (one: DigestGroup): string[] => [
    `## ${one.repository.owner}/${one.repository.repo}`,
    '',
    ...one.items.flatMap(entry),
    ...restOf(shown, one),
    '',
  ];
  return [
    heading(shown),
    days(shown),
    counts(shown),
    ...partly(shown),
    '',
    ...groups.flatMap(group),
    '--',
    words.digest.mail.why[digest.period],
    `${words.digest.toChoice}: ${root.publicUrl}/my/digest?period=${digest.period}`,
    `${words.digest.stop}: ${unsubscribeUrl}`,
  ].join('\n');
}

function asHtml(shown: Shown): Html {
  const { words, groups, root, digest, unsubscribeUrl } = shown;
  return html`<p style="${styles.meta}" class="quiet">${days(shown)}</p>
<h1 style="${styles.title}" class="ink">${heading(shown)}</h1>
<p style="${styles.meta}" class="quiet">${counts(shown)}</p>
${partly(shown).map((line) => html`<p style="${styles.meta}" class="quiet">${line}</p>\n`)}${groups.map((group) => groupOf(shown, group))}
<p style="${styles.foot}" class="quiet rule">${words.digest.mail.why[digest.period]} <a href="${root.publicUrl}/my/digest?period=${digest.period}" style="${styles.link}" class="quiet">${words.digest.toChoice}</a> · <a href="${unsubscribeUrl}" style="${styles.link}" class="quiet">${words.digest.stop}</a></p>`;
}

function groupOf(shown: Shown, group: DigestGroup): Html {
  const { owner, repo } = group.repository;
  return html`<h2 style="${styles.group}" class="ink strong"><bdi>${owner}/${repo}</bdi></h2>
${group.items.map((item) => entryOf(shown, item))}
${restOf(shown, group).map((line) => html`<p style="${styles.meta}" class="quiet">${line}</p>\n`)}`;
}

function entryOf({ root }: Shown, item: ArticleSummary): Html {
  const sentence = item.standfirst !== null ? text(item.standfirst) : item.quote && quoted(item.quote.text);
  return html`<div style="${styles.entry}"${inLanguage(item.languageCode)}>
<h3 style="${styles.entryTitle}"><a href="${absoluteLink(root, item)}" style="${styles.titleLink}" class="ink">${text(item.aiGeneratedTitle)}</a></h3>
${sentence && html`<p style="${styles.sentence}" class="ink">${sentence}</p>\n`}<p style="${styles.meta}" class="quiet">#${item.prNumber} · <bdi>${prose(item.authorLogin)}</bdi></p>
</div>`;
}
