interface Excess {
  what: string;
  pattern: RegExp;
}

/** Wordings that no diff can show. A finding that says the same makes them true. */
const excesses: Excess[] = [
  {
    what: 'a measure that nobody took',
    pattern:
      /\b(?:\d[\d.,]*|two|three|four|five|ten|twenty|hundred|many)[\s-]?(?:times|fold|x)\s+(?:as\s+)?(?:fast|slow|small|larg|less|more|quick|cheap)\w*|\b(?:\d[\d.,]*)\s?(?:%|percent)\s+(?:\w+\s+)?(?:fast|slow|small|larg|less|more|quick)\w*|\b(?:twice|thrice|half)\s+as\s+(?:fast|slow|quick|cheap)\w*|\bhalf\s+the\s+(?:time|memory|cost)\b|\b(?:halves|doubles|triples)\s+the\s+(?:time|speed|size|memory|throughput)|(?:\d+|[二三四五十百]+)倍(?:速|遅|高速|小|大)|\d+\s?(?:%|％|パーセント)(?:速|高速|削減|短縮|小さ)/iu,
  },
  {
    what: 'that something is absent',
    pattern:
      /\b(?:untested|unused|undocumented|unreachable code|dead code|never (?:used|called|tested)|not (?:tested|covered|documented|used anywhere)|no (?:tests?|documentation|callers?|other callers?)|without (?:any )?tests?|lacks? (?:tests?|documentation)|nowhere else)\b|テスト(?:が|は)(?:ない|ありません|追加されてい(?:ない|ません))|使われてい(?:ない|ません)|文書化されてい(?:ない|ません)|ドキュメントが(?:ない|ありません)/iu,
  },
  {
    what: 'that something holds without exception',
    pattern: /\bin (?:all|every) cases?\b|\bunder all circumstances\b|どんな場合でも|いかなる場合も/iu,
  },
  {
    what: 'praise',
    pattern:
      /\b(?:elegant|beautiful|excellent|impressive|robust|clean(?:er)? (?:code|design|solution|approach)|best practices?|well[- ](?:designed|written|tested|documented|structured)|state[- ]of[- ]the[- ]art|significantly (?:improv|enhanc)\w+|greatly (?:improv|enhanc)\w+|seamless(?:ly)?|powerful|nicely)\b|優れた|素晴らし|美しい|エレガント|堅牢|洗練/iu,
  },
];

/** What a text claims that lines cannot show; null where it claims nothing of the kind, or where a finding says it too. */
export function claimsTooMuch(text: string, findings: string): string | null {
  const prose = text.replace(/`[^`]*`|“[^”]*”|"[^"]*"|「[^」]*」/g, ' ');
  for (const { what, pattern } of excesses) {
    const claimed = pattern.exec(prose)?.[0];
    if (claimed === undefined || pattern.test(findings)) continue;
    return `“${claimed}” claims ${what}, which no finding says`;
  }
  return null;
}
