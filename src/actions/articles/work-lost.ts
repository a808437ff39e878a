/** Thrown where another worker holds the job by now, or every user has given it up: there is nothing left to do for it. */
export class WorkLost extends Error {}
