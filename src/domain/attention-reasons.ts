/**
 * Why something deserves a reader's attention, the most important first: what could break comes before what is clever,
 * and that before what is merely touched.
 */
export const attentionReasons = [
  'publicApiRemoved',
  'publicApiChanged',
  'closedToAdditions',
  'minimumVersionRaised',
  'schemaMigration',
  'settingRemoved',
  'fallbackRemoved',
  'defaultChanged',
  'majorUpgrade',
  'openedToAdditions',
  'minimumVersionLowered',
  'settingAdded',
  'dangerousCall',
  'testsRemoved',
  'authenticationTouched',
  'cryptographyTouched',
  'concurrency',
  'performanceSensitive',
  'userVisibleText',
] as const;

export type AttentionReason = (typeof attentionReasons)[number];
