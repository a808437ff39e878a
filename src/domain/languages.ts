import Negotiator from 'negotiator';

const codes =
  'aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et ' +
  'eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl ' +
  'km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj ' +
  'om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to ' +
  'tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu';

export const languageCodes: readonly string[] = codes.split(' ');

const known = new Set(languageCodes);

export const defaultLanguage = 'ja';

export function isLanguageCode(text: string): boolean {
  return known.has(text);
}

/** Languages that can be detected in a text. Models write only in these. */
export const checkableLanguages =
  'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'.split(
    ' ',
  );

export interface LanguageWish {
  requested: string | undefined;
  own: string | undefined;
  acceptLanguage: string | undefined;
}

/** Norwegian has a code for the language and one for each written form, which all its readers understand. */
const norwegian = ['nb', 'no', 'nn'];

/** The requested language, or else the viewer's, the browser's, or any. Null if the requested one is missing. */
export function chooseLanguage(
  available: string[],
  { requested, own, acceptLanguage }: LanguageWish,
): string | null {
  const find = (wanted: string) =>
    [wanted, ...(norwegian.includes(wanted) ? norwegian : [])].find((code) => available.includes(code));
  if (requested !== undefined) return find(requested) ?? null;
  const wanted = [own, ...acceptedLanguages(acceptLanguage)].filter((code) => code !== undefined);
  return wanted.map(find).find((code) => code !== undefined) ?? available[0] ?? null;
}

const mostPreferred = 3;

/** The languages of an Accept-Language header, normalized to few forms, so that responses can be cached by them. */
export function preferredLanguages(header: string | undefined): string {
  const known = acceptedLanguages(header).filter(isLanguageCode);
  return [...new Set(known)].slice(0, mostPreferred).join(', ');
}

/** Without spaces, because the library would not look for weights after them. */
const acceptedLanguages = (header = ''): string[] =>
  new Negotiator({ headers: { 'accept-language': header.replaceAll(' ', '') } })
    .languages()
    .map((range) => range.toLowerCase().split('-')[0] ?? '');
