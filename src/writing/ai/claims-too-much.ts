import { withoutQuoted } from './quoted.ts';

interface Excess {
  what: string;
  patterns: RegExp[];
}

const measured = '(?:fast|slow|small|larg|less|more|quick|cheap)\\w*';
const amount = '(?:\\d[\\d.,]*|two|three|four|five|ten|twenty|hundreds?|thousands?|many|several)';

/** Wordings that no diff can show. A finding that says the same makes them true. */
const excesses: Excess[] = [
  {
    what: 'a measure that nobody took',
    patterns: [
      new RegExp(`\\b${amount}(?: of)?[\\s-]?(?:times|fold|x|×)\\s+(?:as\\s+)?${measured}`, 'iu'),
      new RegExp(`\\b(?:\\d[\\d.,]*)\\s?(?:%|percent)\\s+(?:\\w+\\s+)?${measured}`, 'iu'),
      // What else is twice as large or long, two numbers in the lines may show.
      /\b(?:twice|half) as (?:fast|quick|slow|cheap|expensive|efficient|much (?:time|memory|work))\w*/iu,
      /\b(?:halv|doubl|tripl)(?:es?|ed|ing) (?:the|its|their) (?:time|speed|size|memory|throughput|latency)\b/iu,
      /\b(?:twice|half(?: of)?|a (?:third|quarter|tenth|fraction) of) (?:the|its|their) (?:time|speed|memory|throughput|latency|cost)\b/iu,
      /\b(?:an?|two|three|several|many) orders? of magnitude\b/iu,
      /(?:\d[\d.]*|[二三四五六七八九十百千数]+)\s?倍(?:も|ほど|以上|近く)?(?:速|早|遅|高速|小|大|効率)|\d+\s?(?:%|％|パーセント)(?:速|早|高速|削減|短縮|小さ)/u,
      /半分(?:以下)?の(?:時間|メモリ|コスト)|(?:時間|速度|コスト|使用量)(?:が|を)(?:半分に|半減|倍増)|[一二三数\d]?桁(?:違いに)?(?:速|早|遅|高速)/u,
    ],
  },
  {
    what: 'something of all cases',
    patterns: [
      /\bin (?:all|each and every|every(?: single| possible)?) (?:possible |conceivable )?(?:cases?|circumstances?|situations?|scenarios?)\b/iu,
      /\bunder (?:all|any|every) (?:possible )?(?:circumstances?|conditions?)\b|\bnever fails?\b/iu,
      /(?:あらゆる|すべての|全ての|どんな|いかなる)(?:場合|状況|ケース)(?:でも|にも|で|に|において)|(?:決して|絶対に)失敗し/u,
    ],
  },
  {
    what: 'that something is absent',
    patterns: [
      /\b(?:untested|unused|undocumented|unreachable code|dead code|never (?:used|called|tested)|not (?:tested|covered|documented|used anywhere)|no (?:tests?|documentation|callers?|other callers?)|without (?:any )?tests?|lacks? (?:tests?|documentation)|nowhere else)\b|テスト(?:が|は)(?:ない|ありません|追加されてい(?:ない|ません))|使われてい(?:ない|ません)|文書化されてい(?:ない|ません)|ドキュメントが(?:ない|ありません)/iu,
    ],
  },
  {
    what: 'praise',
    patterns: [
      /\b(?:elegant|beautiful|excellent|impressive|robust|clean(?:er)? (?:code|design|solution|approach)|best practices?|well[- ](?:designed|written|tested|documented|structured)|state[- ]of[- ]the[- ]art|significantly (?:improv|enhanc)\w+|greatly (?:improv|enhanc)\w+|seamless(?:ly)?|powerful|nicely)\b|優れた|素晴らし|美しい|エレガント|堅牢|洗練/iu,
    ],
  },
];

/** All that a text claims and lines cannot show; what a finding says too is none of it. */
export function claimsTooMuch(text: string, findings: string): string[] {
  const prose = withoutQuoted(text);
  return excesses.flatMap(({ what, patterns }) => {
    const claimed = patterns.map((pattern) => pattern.exec(prose)?.[0]).find((found) => found !== undefined);
    if (claimed === undefined || patterns.some((pattern) => pattern.test(findings))) return [];
    return [`“${claimed}” claims ${what}, which no finding says`];
  });
}
