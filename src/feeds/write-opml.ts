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

/** Where the feeds of some repositories are, as readers of feeds take many at once: a folder, because an outline has to have something. */
export function writeOpml({ title, origin, firstHost, repositories }: Subscriptions): string {
  const name = line(title);
  const outlines = repositories.map((place) => {
    const repository = line(`${place.owner}/${place.repo}`);
    return {
      type: 'rss',
      text: repository,
      title: repository,
      xmlUrl: origin + repositoryFeed(place, firstHost)('atom'),
      htmlUrl: origin + repositoryLink(place, firstHost),
    };
  });
  return generateOpml({ head: { title: name }, body: { outlines: [{ text: name, title: name, outlines }] } });
}
