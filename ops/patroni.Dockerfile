# PostgreSQL with Patroni, for compose.ha.yaml. Both come from the packages of the PostgreSQL project.
FROM postgres:17-bookworm
RUN apt-get update \
  && apt-get install -y --no-install-recommends patroni python3-etcd \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o postgres -g postgres -m 0700 /var/lib/postgresql/data
COPY ops/patroni.yaml /etc/patroni.yaml
USER postgres
ENTRYPOINT ["patroni"]
CMD ["/etc/patroni.yaml"]
