import type { Mail } from '../domain/mail.ts';
import { html, prose } from '../pages/html.ts';
import { interfaceWords, spokenAround } from '../pages/words/interface-languages.ts';
import { mailPage, styles } from './mail-page.ts';

interface Asked {
  to: string;
  url: string;
  /** Who wants digests to come there. */
  name: string;
  language: string;
  /** Of this mail and no other. */
  key: string;
}

/** Asks at an address whether it is that of the user who has typed it. */
export function confirmationMail({ to, url, name, language: wanted, key }: Asked): Mail {
  const language = spokenAround(wanted);
  const { mail } = interfaceWords[language].digest;
  const asked = mail.confirmAsked(name, new URL(url).host);
  return {
    to,
    subject: mail.confirmSubject,
    text: [asked, '', `${mail.confirmLink}: ${url}`, mail.confirmHow, '', mail.confirmIgnore].join('\n'),
    html: mailPage({
      language,
      title: mail.confirmSubject,
      main: html`<h1 style="${styles.title}" class="ink">${mail.confirmSubject}</h1>
<p style="${styles.sentence}" class="ink">${prose(asked)}</p>
<p style="${styles.sentence}" class="ink"><a href="${url}" style="${styles.strongLink}" class="accent">${mail.confirmLink}</a></p>
<p style="${styles.meta}" class="quiet">${mail.confirmHow}</p>
<p style="${styles.foot}" class="quiet rule">${mail.confirmIgnore}</p>`,
    }).toString(),
    messageId: `confirm.${key}`,
  };
}
