import type { TestApp } from './build-app.ts';

const send = globalThis.fetch;

/** A script runs anew under each name that it is loaded by. */
let visits = 0;

/** What the scripts of the pages use of an element. */
export class StandInElement {
  hidden = false;
  textContent = '';
  value = '';
  src = '';
  className = '';
  attributes: Record<string, string> = {};
  children: (StandInElement | string)[] = [];
  #listeners: Record<string, (event: object) => unknown> = {};

  addEventListener(name: string, listener: (event: object) => unknown): void {
    this.#listeners[name] = listener;
  }
  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }
  append(...children: (StandInElement | string)[]): void {
    this.children.push(...children);
  }
  replaceChildren(...children: (StandInElement | string)[]): void {
    this.children = children;
  }
  /** What the visitor does with it. */
  fire(name: 'click' | 'submit'): void {
    this.#listeners[name]?.({ preventDefault() {} });
  }
}

export interface Page {
  /** An element of the page by its id; there is none that the page does not have. */
  element: (id: string) => StandInElement;
  /** What the page did to its address and asked of the service, in order. */
  happened: string[];
}

/** A browser with a jar for cookies and as much of a page as its scripts need, on a service that runs. */
export function openBrowser(app: TestApp): (path: string, script: string) => Promise<Page> {
  let cookie = '';
  return async (address, script) => {
    const { pathname: path, hash } = new URL(address, app.url);
    const html = await (await send(`${app.url}${path}`)).text();
    const tags = [...html.matchAll(/<\w+[^>]*\bid="([^"]+)"[^>]*>/g)];
    const elements = new Map(
      tags.map(([tag, id = '']) => [
        id,
        Object.assign(new StandInElement(), { hidden: / hidden\b/.test(tag) }),
      ]),
    );
    const happened: string[] = [];
    const note = (what: string) => void happened.push(what);
    const element = (id: string) => {
      const found = elements.get(id);
      if (!found) throw new Error(`${path} has no element ${id}.`);
      return found;
    };
    const standIns = {
      document: {
        getElementById: element,
        querySelector: () => new StandInElement(),
        createElement: () => new StandInElement(),
      },
      location: {
        origin: app.url,
        pathname: path,
        hash,
        replace: (to: string) => note(`goes to ${to}`),
        reload: () => note('reloads'),
      },
      history: { replaceState: (_state: unknown, _title: string, to: string) => note(`is now at ${to}`) },
      Option: class extends StandInElement {},
      fetch: async (target: string, options: RequestInit) => {
        note(`${options.method} ${target}`);
        const headers = { ...options.headers, origin: app.url, ...(cookie && { cookie }) };
        const response = await send(new URL(target, app.url), { ...options, headers });
        cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
        return response;
      },
    };
    for (const [name, value] of Object.entries(standIns))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    visits += 1;
    await import(new URL(`../web/${script}?visit=${visits}`, import.meta.url).href);
    return { element, happened };
  };
}
