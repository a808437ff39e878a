export const isExampleToken = (token: string): boolean => /^ex_\w+$/.test(token);
