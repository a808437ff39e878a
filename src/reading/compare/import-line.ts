const importLine =
  /^\uFEFF?(?:import\s.*(?:['";]|[\w.*)}]$)|from \S+ import |(?:global )?using (?:static )?[\w.]+(?: = [\w.<>, ]+)?;?$|use (?:[\w\\:{}*, ]+;|\w*(?:::|\\)[\w\\:{}*, ]+$)|#include\s*[<"]|require(?:_relative)?[ (]['"]|package [\w.]+;?$|(?:alias|require) [A-Z][\w.]*$)/;

const requiring = /^\uFEFF?(?:const|let|var) .* = require\(/;

/** Whether a whole line names what other lines use; a sentence may begin with the same word. */
export function isImportLine(text: string): boolean {
  const line = text.trim();
  return importLine.test(line) || (line.includes('= require(') && requiring.test(line));
}
