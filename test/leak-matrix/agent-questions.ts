import type { Probe, Written } from './probe.ts';

/** Every MCP tool, in both levels of detail, and resources. */
export function agentReads({ host, owner, repo, articleId, author, sentence }: Written): Probe[] {
  const tool = (isDetail: boolean, name: string, input: object): Probe[] =>
    ['brief', 'full'].map((detail) =>
      agentProbe(isDetail, name, 'tools/call', { name, arguments: { ...input, detail } }),
    );
  const named = `${owner}/${repo}`;
  const on = host === null ? {} : { host };
  const uri = `pullquote://articles/${articleId}/en`;
  return [
    ...tool(false, 'search_articles', { query: repo, limit: 100 }),
    ...tool(false, 'search_articles', { query: `author:${author}` }),
    ...tool(true, 'get_article', { pullRequest: articleId }),
    ...tool(true, 'get_article', { pullRequest: `${named.toUpperCase()}#1`, section: 'changes', ...on }),
    ...tool(true, 'get_evidence', { pullRequest: `${named}#1`, sentence, ...on }),
    ...tool(false, 'list_ranking', { limit: 100 }),
    ...tool(false, 'list_ranking', { repository: named, ...on }),
    ...tool(false, 'list_my_feed', { limit: 100 }),
    ...tool(true, 'what_changed', { repository: named, path: 'src', since: '2020-01-01', ...on }),
    agentProbe(false, 'resources', 'resources/list', {}),
    agentProbe(true, 'resources', 'resources/read', { uri }),
  ];
}

const agentProbe = (isDetail: boolean, name: string, method: string, params: object): Probe => ({
  ...{ method: 'POST', path: '/mcp', isDetail, route: `/mcp ${name}` },
  body: { jsonrpc: '2.0', id: 1, method, params },
});

/** Writes about it again and asks about it, which needs access. */
export function agentWrites({ host, owner, repo }: Written): Probe[] {
  const about = { pullRequest: `${owner}/${repo}#1`, language: 'ja', ...(host !== null && { host }) };
  const write = (name: string, input: object): Probe =>
    agentProbe(true, name, 'tools/call', { name, arguments: { ...about, ...input } });
  return [
    write('explain_pull_request', {}),
    write('ask_about_pull_request', { question: 'What is new in this file?' }),
  ];
}
