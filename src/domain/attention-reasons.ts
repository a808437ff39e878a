/** Why something deserves a reader's attention: what could break comes first. All of it can be proven by the lines alone. */
const attentionReasons = [
  'publicApiRemoved',
  'publicApiChanged',
  'closedToAdditions',
  'minimumVersionRaised',
  'settingRemoved',
  'fallbackRemoved',
  'defaultChanged',
  'permissionChanged',
  'testSkipped',
  'openedToAdditions',
  'minimumVersionLowered',
] as const;

export type AttentionReason = (typeof attentionReasons)[number];
