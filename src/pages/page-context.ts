import type { Html } from './html.ts';
import type { InterfaceLanguage, Words } from './words/words.ts';

/** Who looks at a page, as far as the page shows it. */
export interface PageViewer {
  name: string;
  /** The language in which they read; null before they sign up. */
  language: string | null;
  /** Where a picture of them is; null where there is none. */
  avatar: string | null;
}

/** What every page is made with, whatever it shows. */
export interface PageContext {
  /** The language that the page speaks. */
  language: InterfaceLanguage;
  words: Words;
  /** Attributes of the page's own words where they stand in text of another language. */
  ours?: Html;
  viewer: PageViewer | null;
  /** Path and query of this page, to come back to it. */
  address: string;
  /** Where people reach the service; null where it is not configured. */
  publicUrl: string | null;
  /** The code host that is meant where none is named. */
  firstHost: string;
  /** Languages in which articles can be had written. */
  writesIn: string[];
  /** Where something of the folder `web` is served. */
  asset: (file: string) => string;
}
