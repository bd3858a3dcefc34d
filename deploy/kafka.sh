#!/bin/sh
# Fetches Apache Kafka from Maven Central into .kafka/libs, for a broker on this machine. Needs Java 17 or later and
# Maven: root has them installed by apt-get, a person is told what to type.
set -eu
cd "$(dirname "$0")/.."
home=.kafka

say() { printf '%s\n' "$*" >&2; }

# What `java -version` calls itself: 17 of "17.0.15", 8 of "1.8.0_402"; 0 without Java.
java_version() {
    { java -version 2>&1 || true; } | sed -n 's/.*version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1 | grep . || echo 0
}

has_java() { [ "$(java_version)" -ge 17 ]; }
has_maven() { command -v mvn >/dev/null 2>&1; }

# The oldest Java of the distribution that is new enough.
java_package() {
    for version in 17 21 25; do
        if apt-cache show "openjdk-$version-jre-headless" >/dev/null 2>&1; then
            printf 'openjdk-%s-jre-headless' "$version"
            return
        fi
    done
    printf 'openjdk-17-jre-headless'
}

missing() {
    has_java || printf '%s ' "$(java_package)"
    has_maven || printf 'maven'
}

if ! has_java || ! has_maven; then
    say "Kafka needs Java 17 or later and Maven. 需要 Java 17 及以上与 Maven。"
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -q >&2
        packages=$(missing)
        say "Installing $packages"
        # shellcheck disable=SC2086  one word a package
        DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $packages >&2
    fi
    if ! has_java || ! has_maven; then
        say "Install what is missing 请安装：  sudo apt-get install $(missing)"
        exit 1
    fi
fi

say "Fetching Apache Kafka from Maven Central (once, 43 MB) 正在下载 Kafka……"
rm -rf $home
mvn -q -B -f deploy/kafka.xml dependency:copy-dependencies -DoutputDirectory="$PWD/$home/libs" >&2
touch $home/.ready
