/** What has to be set too before this service is an app on a host, given the settings of its id and its secret; a sentence each. */
export function missingForApp(
  hostName: string,
  publicUrl: string | undefined,
  given: Record<string, string | undefined>,
): string[] {
  const [idSetting = ''] = Object.keys(given);
  const set = Object.values(given).filter(Boolean).length;
  const problems: string[] = [];
  if (set === 1) problems.push(`${Object.keys(given).join(' and ')} belong together: set both, or neither.`);
  if (given[idSetting] && !publicUrl)
    problems.push(
      `${idSetting} needs PUBLIC_URL, the address to which ${hostName} sends people back: set it, such as https://pullquote.example.org.`,
    );
  return problems;
}
