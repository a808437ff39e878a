import { generateOpml } from 'feedsmith';
import { repositoryFeed } from '../pages/feed-links.ts';
import { type RepositoryPlace, repositoryLink } from '../pages/links.ts';
import { line } from './feed-text.ts';

interface Subscriptions {
  title: string;
  origin: string;
  firstHost: string;
  repositories: RepositoryPlace[];
}

/** Where the feeds of some repositories are, as readers of feeds take many at once. */
export const writeOpml = ({ title, origin, firstHost, repositories }: Subscriptions): string =>
  generateOpml({
    head: { title: line(title) },
    body: {
      outlines: repositories.map((place) => ({
        type: 'rss',
        text: line(`${place.owner}/${place.repo}`),
        title: line(`${place.owner}/${place.repo}`),
        xmlUrl: origin + repositoryFeed(place, firstHost)('atom'),
        htmlUrl: origin + repositoryLink(place, firstHost),
      })),
    },
  });
