import { type Html, html } from '../pages/html.ts';

/** Mail programs take styles from the elements themselves; colors for the dark are all that stands in a style sheet. */
const serif = "font-family: Georgia, 'Hiragino Mincho ProN', 'Yu Mincho', serif";
const mono = "font-family: 'Source Code Pro', Menlo, Consolas, monospace";
const quiet = 'color: #5d6068';
const ink = 'color: #1f2024';

export const styles = {
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

interface Page {
  language: string;
  title: string;
  main: Html;
}

/** A mail as a page: one column, nothing that runs, and nothing that is loaded from elsewhere. */
export const mailPage = ({ language, title, main }: Page): Html => html`<!doctype html>
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
`;
