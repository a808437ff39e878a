/** More than these no mender reads. */
const most = 6;
const longest = 600;

/** All that is wrong with a sentence in one line, each complaint once. */
export function joinComplaints(complaints: string[]): string {
  const all = [...new Set(complaints)];
  const shown = all.slice(0, most).join('; ');
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}
