# One image, made for running: `docker run -e ERRATA_TOKEN=… -v errata:/data errata`.
FROM python:3.11-slim

# The default build of torch for Linux may bring several gigabytes of CUDA that a bot has no use for. Name an index of CPU
# builds to leave them out: docker build --build-arg TORCH_INDEX=https://…
ARG TORCH_INDEX=

ENV PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1

# torch by itself, so that a change of ours does not fetch it again. The version is that of pyproject.toml.
RUN pip install ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} "torch==2.13.0"

WORKDIR /app
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY embeddings embeddings
COPY seeds seeds
# Extras of pyproject.toml, for instance ocr: docker build --build-arg EXTRAS=ocr
ARG EXTRAS=
RUN pip install ".${EXTRAS:+[$EXTRAS]}"

# Not root. The folder is there, and the bot's own, before a volume is put over it.
RUN useradd --system --create-home --uid 10001 errata && install -d -o errata -g errata /data
USER errata
ENV ERRATA_DATA_DIR=/data
VOLUME /data

# SIGTERM, docker's own way of stopping, ends the bot in order.
ENTRYPOINT ["errata"]
CMD ["run"]
