import { type StandInPull, shaOf } from './state.ts';

const diff = `diff --git a/src/upload.ts b/src/upload.ts
index 1111111..2222222 100644
--- a/src/upload.ts
+++ b/src/upload.ts
@@ -1,5 +1,8 @@
 export async function upload(parts: Part[]) {
-  const first = parts[0];
+  for (const part of parts) {
+    if (part.size > limit) throw new TooLarge(part);
+    await send(part);
+  }
   return parts.length;
 }
`;
const hunk = `@@ -1,5 +1,6 @@
 export async function upload(parts: Part[]) {
-  const first = parts[0];
+  for (const part of parts) {
+    await send(part);`;
const block = '```\nif (part.size > limit) throw new TooLarge(part);\n```';
export const day = (time: string): string => `2026-03-01T${time}:00Z`;

/** A pull request of which a line is what `rin` asked for, in words that a test gives. */
export const reviewedBy = (
  request: string,
  reply = 'Indeed, a large one would fill the disk.',
): Partial<Omit<StandInPull, 'files'>> => ({
  diff,
  reviews: [
    {
      id: 1,
      author: 'rin',
      body: '',
      state: 'CHANGES_REQUESTED',
      submittedAt: day('10:05'),
      commit: shaOf('first'),
    },
    {
      id: 2,
      author: 'kim',
      body: 'Good.',
      state: 'APPROVED',
      submittedAt: day('12:00'),
      commit: shaOf('last'),
    },
  ],
  reviewComments: [
    {
      id: 21,
      author: 'rin',
      body: `${request}\n\n${block}`,
      createdAt: day('10:05'),
      path: 'src/upload.ts',
      line: 3,
      commit: shaOf('first'),
      hunk,
    },
    {
      id: 22,
      replyTo: 21,
      author: 'octocat',
      body: reply,
      createdAt: day('10:30'),
      path: 'src/upload.ts',
      line: 3,
    },
  ],
});
