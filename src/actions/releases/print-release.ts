import type { Release } from '../../contract/release.ts';

/** Release notes in Markdown. What makes them is loaded with the first that are wanted. */
export async function printRelease(
  release: Release,
  options: { language: string; publicUrl: string | undefined },
): Promise<string> {
  const { releaseMarkdown } = await import('./release-markdown.ts');
  return releaseMarkdown(release, options);
}
