/** Letters of other scripts that look like Latin ones; letters at the same place look alike. */
const alike = new Map(
  Array.from('аеорсхуіјѕһԁкмтвнгԛԝοανρικυτχεηγωսոօ', (letter, index) => [
    letter,
    'aeopcxyijshdkmtbhrqwoavpikutxenywuno'.charAt(index),
  ]),
);

/** A text as eyes read it: wide signs are plain ones, and whatever looks like a Latin letter or a dot is one. */
const asSeen = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\0-\x7f]/gu, (letter) => alike.get(letter) ?? letter)
    // A Japanese full stop between Latin letters is a dot; elsewhere it ends a sentence.
    .replace(/(?<=[a-z\d-])。(?=[a-z])/g, '.')
    .replace(/(?<!\s)\s?[[({]\s?(?:\.|dot)\s?[\])}]\s?/g, '.')
    .replace(/ dot (?=(?:com|net|org|io|ru|cn|xyz|dev|app|info)(?![a-z\d]))/g, '.');

/** Endings of public names. Those that files end with as well are left out. */
const endings = asSeen(
  [
    'com|net|org|edu|gov|io|dev|app|info|biz|xyz|onion|example|shop|online|website|club|vip|icu|cyou|buzz|lol|casino|loan',
    'ai|au|br|ca|ch|cn|co|cz|de|eu|fr|gg|hk|ir|jp|kr|kz|ly|me|nl|nz|ru|se|su|tk|tr|tv|tw|ua|uk|us|vn|ws|za',
    'рф|укр|бел|сайт|中国|中國|公司|网络|网址|在线|みんな|コム|한국',
  ].join('|'),
);

/** Endings of public names that members of objects also have: what the code has is one. */
const words =
  'top|site|store|live|life|tech|space|cloud|page|link|click|blog|news|wiki|work|zone|win|fun|host|press|pro|bet|download|support';

/** Endings of files, behind which a slash may stand that separates two names. */
const files =
  'js|ts|jsx|tsx|mjs|json|ya?ml|toml|md|py|rb|rs|go|java|kt|php|css|html|sh|txt|xml|sql|proto|net';

const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_-]*[\\p{L}\\p{N}])?';

/** A name that ends so, and neither goes on nor is called. */
const nameWith = (ending: string): string =>
  `(?<![\\p{L}\\p{N}_./\\\\$@-])(?:${label}\\.)+(?:${ending})(?![\\p{L}\\p{N}_(-]|\\.[\\p{L}\\p{N}])`;

const memberLike = new RegExp(nameWith(words), 'gu');

const forms = [
  /(?<![a-z])(?:h(?:tt|xx)ps?:(?=[^\s`])|(?:mailto|javascript|data|tel):(?=[^\s`])|[a-z][a-z\d+.-]{1,15}:\/\/)/u,
  /(?<![\p{L}\p{N}])www\.[\p{L}\p{N}]/u,
  /\/\/[\p{L}\p{N}_-]+\.[\p{L}]/u,
  /[\p{L}\p{N}._+-]@(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}/u,
  new RegExp(
    `(?<![\\p{L}\\p{N}_./\\\\$@-])(?:${label}\\.)+(?!(?:${files})/)\\p{L}{2,}(?::\\d+)?/[^\\s/]`,
    'u',
  ),
  new RegExp(nameWith(endings), 'u'),
  /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5}\b|\/[a-z])/u,
];

/** Products that are written like the name of a host. */
const products = /(?<![\w.])(?:(?:asp|ado|vb|ml)\.net|socket\.io)(?![\w/]|\.\w)/g;
const escapes = /\\[abfnrtv0]/g;

function isAddress(text: string, isInCode: (code: string) => boolean): boolean {
  const seen = asSeen(text.replace(escapes, ' ')).replace(products, ' ');
  if (forms.some((form) => form.test(seen))) return true;
  const plain = text.toLowerCase();
  return Array.from(seen.matchAll(memberLike), ([name]) => name).some((name) => {
    const at = plain.indexOf(name);
    return at < 0 || !isInCode(text.slice(at, at + name.length));
  });
}

const codeSpan = /`[^`]*`/g;
/** Code marks around a part of a name do not divide it. */
const joinedSpan = /(?<=[^\s`][.@])`([^`]*)`|`([^`]*)`(?=[.@][\p{L}`])/gu;

/**
 * Whether a text leads anywhere outside: by an address, a name of a host or a mail address, in whatever dress. Code
 * marks may hold what the code itself says.
 */
export function holdsAddress(text: string, isInCode: (code: string) => boolean): boolean {
  const spans = text.match(codeSpan) ?? [];
  return (
    isAddress(text.replace(joinedSpan, '$1$2').replace(codeSpan, ' '), isInCode) ||
    spans.some((span) => {
      const code = span.slice(1, -1);
      return isAddress(code, isInCode) && !isInCode(code);
    })
  );
}
