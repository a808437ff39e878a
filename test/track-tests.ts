import hooks from 'node:async_hooks';

const running = new hooks.AsyncLocalStorage<{ id: number; ofFile: number }>();
let testOfFile = 0;

/**
 * Loads Node's test runner so that it finds the running test in a context of ours. By itself it hears of every promise that is
 * made and collected, which takes a tenth of what our tests cost. This has to happen before anything imports node:test.
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
    // Modules may be loaded in the context in which an earlier file was.
    return context?.ofFile === testOfFile ? context.id : testOfFile;
  };
  Object.assign(hooks, { AsyncResource: Tracked, createHook: hear, executionAsyncId: find });
  await import('node:test');
  Object.assign(hooks, { AsyncResource, createHook, executionAsyncId });
}

/** Has what is registered without a context, as while a module is loaded, belong to the test that calls this, if one does. */
export function ownWhatFollows(): void {
  const context = running.getStore();
  testOfFile = context?.id ?? 0;
  if (context) context.ofFile = testOfFile;
}
