import hooks from 'node:async_hooks';

const running = new hooks.AsyncLocalStorage<{ id: number; ofFile: number }>();
let testOfFile = 0;

/**
 * Loads Node's test runner so that it finds the running test in our own context. By default it tracks every promise, which
 * takes a tenth of the time of our tests. Must run before anything imports node:test.
 */
export async function loadTestRunner(): Promise<void> {
  const { AsyncResource, createHook, executionAsyncId } = hooks;
  let callbacks: hooks.HookCallbacks = {};
  class Tracked extends AsyncResource {
    constructor(type: string) {
      super(type);
      callbacks.init?.(this.asyncId(), type, 0, this);
    }
    override runInAsyncScope<This, Result>(
      work: (this: This, ...values: unknown[]) => Result,
      self?: This,
      ...values: unknown[]
    ): Result {
      const context = { id: this.asyncId(), ofFile: testOfFile };
      return super.runInAsyncScope(() => running.run(context, () => Reflect.apply(work, self, values)));
    }
  }
  const hear = (given: hooks.HookCallbacks) => {
    callbacks = given;
    const hook = { enable: () => hook, disable: () => hook };
    return hook;
  };
  const find = () => {
    const context = running.getStore();
    // A module may be loaded in the context of an earlier file.
    return context?.ofFile === testOfFile ? context.id : testOfFile;
  };
  Object.assign(hooks, { AsyncResource: Tracked, createHook: hear, executionAsyncId: find });
  await import('node:test');
  Object.assign(hooks, { AsyncResource, createHook, executionAsyncId });
}

/** Assigns hooks registered without a context, as during a module's load, to the calling test. */
export function ownWhatFollows(): void {
  const context = running.getStore();
  testOfFile = context?.id ?? 0;
  if (context) context.ofFile = testOfFile;
}
