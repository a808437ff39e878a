const importLine =
  /^\uFEFF?(?:import\s.*(?:['";]|[\w.*)}]$)|from \S+ import |(?:global )?using (?:static )?[\w.]+(?: = [\w.<>, ]+)?;?$|use (?:[\w\\:{}*, ]+;|\w*(?:::|\\)[\w\\:{}*, ]+$)|#include\s*[<"]|require(?:_relative)?[ (]['"]|(?:const|let|var) .* = require\(|package [\w.]+;?$|(?:alias|require) [A-Z][\w.]*$)/;

/** Whether a whole line names what other lines use; a sentence may begin with the same word. */
export const isImportLine = (text: string): boolean => importLine.test(text.trim());
