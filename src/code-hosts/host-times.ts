/**
 * Hosts tell times that nobody can have meant, and that not every database can store: what lies outside of these is told as one
 * of them, or as none.
 */
export const earliestTime = 0;
export const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
