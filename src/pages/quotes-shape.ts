import { html } from './html.ts';

/** The mark of the service: 20 wide, 16 high. */
export const quotesShape = html`<path d="M0 16V9C0 4 2.500 1 7.500 0L8.500 2.200C6 3 4.700 4.500 4.500 7H8.500V16zM11 16V9C11 4 13.500 1 18.500 0L19.500 2.200C17 3 15.700 4.500 15.500 7H19.500V16z"/>`;
